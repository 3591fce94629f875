import { describe, expect, it } from "vitest";
import { HypoError } from "../../../src/domain/errors.ts";
import { admitUrl, findAddressProblem, findAllowance, parseAllowHosts, parseTarget } from "../../../src/gateway/address-policy.ts";

function verdictOf(url: string, allow: string[] = []): string {
  try {
    return admitUrl(parseTarget(url), parseAllowHosts(allow))?.entry ?? "public";
  } catch (error) {
    return error instanceof HypoError ? error.code : String(error);
  }
}

const CLOSED: [what: string, url: string][] = [
  ["loopback", "http://127.0.0.1/"],
  ["all of 127/8", "http://127.255.255.254/"],
  ["loopback as one decimal number", "http://2130706433/"],
  ["loopback in octal", "http://0177.0.0.1/"],
  ["loopback as one octal number", "http://017700000001/"],
  ["loopback in hexadecimal", "http://0x7f.0x0.0x0.0x1/"],
  ["loopback as one hexadecimal number", "http://0x7f000001/"],
  ["loopback in short form", "http://127.1/"],
  ["loopback in mixed bases", "http://0x7f.1/"],
  ["loopback with a trailing dot", "http://127.0.0.1./"],
  ["loopback with two trailing dots", "http://127.0.0.1../"],
  ["loopback in full-width digits", "http://１２７.０.０.１/"],
  ["loopback with ideographic full stops", "http://127。0。0。1/"],
  ["loopback percent-encoded", "http://%31%32%37.0.0.1/"],
  ["zero", "http://0/"],
  ["this network", "http://0.0.0.0/"],
  ["private 10/8", "http://10.1.2.3/"],
  ["private 172.16/12, lower end", "http://172.16.0.1/"],
  ["private 172.16/12, upper end", "http://172.31.255.255/"],
  ["private 192.168/16", "http://192.168.1.1/"],
  ["carrier-grade NAT", "http://100.64.0.1/"],
  ["metadata of Alibaba", "http://100.100.100.200/"],
  ["metadata of AWS, GCP and Azure", "http://169.254.169.254/latest/meta-data/"],
  ["metadata as one decimal number", "http://2852039166/"],
  ["metadata of Oracle", "http://192.0.0.192/"],
  ["the platform address of Azure", "http://168.63.129.16/"],
  ["documentation 192.0.2/24", "http://192.0.2.1/"],
  ["documentation 198.51.100/24", "http://198.51.100.7/"],
  ["documentation 203.0.113/24", "http://203.0.113.7/"],
  ["benchmarking", "http://198.19.255.255/"],
  ["6to4 relay", "http://192.88.99.1/"],
  ["multicast", "http://224.0.0.1/"],
  ["reserved", "http://240.0.0.1/"],
  ["broadcast", "http://255.255.255.255/"],
  ["IPv6 loopback", "http://[::1]/"],
  ["IPv6 loopback in full", "http://[0:0:0:0:0:0:0:1]/"],
  ["IPv6 unspecified", "http://[::]/"],
  ["mapped loopback", "http://[::ffff:127.0.0.1]/"],
  ["mapped loopback in hexadecimal", "http://[::ffff:7f00:1]/"],
  ["mapped metadata", "http://[::ffff:a9fe:a9fe]/"],
  ["compatible loopback", "http://[::7f00:1]/"],
  ["compatible loopback, dotted", "http://[::127.0.0.1]/"],
  ["compatible form of a public address", "http://[::8.8.8.8]/"],
  ["NAT64 of a private address", "http://[64:ff9b::10.0.0.1]/"],
  ["NAT64 of the metadata address", "http://[64:ff9b::a9fe:a9fe]/"],
  ["local-use NAT64", "http://[64:ff9b:1::1]/"],
  ["translated (SIIT)", "http://[::ffff:0:7f00:1]/"],
  ["6to4 of loopback", "http://[2002:7f00:1::]/"],
  ["Teredo", "http://[2001:0:53aa:64c::1]/"],
  ["protocol assignments", "http://[2001:10::1]/"],
  ["the end of 2001::/23", "http://[2001:1ff:ffff::1]/"],
  ["IPv6 documentation", "http://[2001:db8::1]/"],
  ["IPv6 documentation 3fff::/20", "http://[3fff:fff::1]/"],
  ["unique local", "http://[fd00::1]/"],
  ["metadata of AWS over IPv6", "http://[fd00:ec2::254]/"],
  ["link-local", "http://[fe80::1]/"],
  ["site-local", "http://[fec0::1]/"],
  ["IPv6 multicast", "http://[ff02::1]/"],
  ["outside the allocated space, low", "http://[1::1]/"],
  ["outside the allocated space, high", "http://[4000::1]/"],
  ["discard-only", "http://[100::1]/"],
  ["localhost", "http://localhost/"],
  ["localhost in capitals", "http://LOCALHOST/"],
  ["localhost with a trailing dot", "http://localhost./"],
  ["localhost with two trailing dots", "http://localhost../"],
  ["localhost in full-width letters", "http://ｌｏｃａｌｈｏｓｔ/"],
  ["a name under localhost", "http://app.localhost/"],
  ["a name under local", "http://printer.local/"],
  ["a name under internal", "http://metadata.google.internal/"],
  ["a name under internal with a dot", "http://metadata.google.internal./"],
  ["SSH's port", "http://example.com:22/"],
  ["a port of databases", "https://example.com:6379/"],
  ["port zero", "http://example.com:0/"],
];

const OPEN: [what: string, url: string][] = [
  ["a public name", "https://example.com/"],
  ["a public name with a trailing dot", "https://example.com./"],
  ["a public IPv4", "http://8.8.8.8/"],
  ["the address below 172.16/12", "http://172.15.255.255/"],
  ["the address above 172.16/12", "http://172.32.0.0/"],
  ["the address above carrier-grade NAT", "http://100.128.0.0/"],
  ["the neighbour of Azure's platform address", "http://168.63.129.17/"],
  ["a public IPv6", "http://[2606:4700::1111]/"],
  ["the first address after 2001::/23", "http://[2001:200::1]/"],
  ["the first address after 3fff::/20", "http://[3fff:1000::1]/"],
  ["a mapped public address", "http://[::ffff:8.8.8.8]/"],
  ["NAT64 of a public address", "http://[64:ff9b::808:808]/"],
  ["a name that only begins like localhost", "http://localhost.example.com/"],
  ["a name that only ends like local", "http://notlocal/"],
  ["port 8080", "http://example.com:8080/"],
  ["port 8443", "https://example.com:8443/"],
  ["port 80 over TLS", "https://example.com:80/"],
];

const BAD: [what: string, url: string][] = [
  ["no scheme", "example.com"],
  ["a file", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["data", "data:text/html,hi"],
  ["FTP", "ftp://example.com/"],
  ["a user name", "http://admin@example.com/"],
  ["a password", "http://admin:secret@example.com/"],
  ["an empty user name with a password", "http://:secret@example.com/"],
  ["an IPv4 that is too large", "http://256.256.256.256/"],
  ["a scoped literal", "http://[fe80::1%25eth0]/"],
  ["nothing", ""],
];

describe("the address policy", () => {
  it.each(CLOSED)("keeps closed: %s (%s)", (_, url) => expect(verdictOf(url)).toBe("blocked_address"));
  it.each(OPEN)("lets through: %s (%s)", (_, url) => expect(verdictOf(url)).toBe("public"));
  it.each(BAD)("does not take for a web address: %s (%s)", (_, url) => expect(verdictOf(url)).toBe("bad_url"));

  it("looks through the scope of an address that a resolver gave", () => {
    expect(findAddressProblem("fe80::1%eth0")).toContain("not public");
    expect(findAddressProblem("2606:4700::1111%eth0")).toBeUndefined();
    expect(findAddressProblem("[::1]")).toContain("not public");
  });

  it("takes what is no address for closed", () => expect(findAddressProblem("intranet")).toContain("is not an IP address"));

  it("never shows a password in an error", () => {
    expect(() => parseTarget("http://admin:hunter2@example.com/")).toThrow(expect.not.stringContaining("hunter2"));
  });
});

describe("gateway.allow_hosts", () => {
  it.each([
    ["127.0.0.1:3000", "http://127.0.0.1:3000/x"],
    ["127.0.0.1:3000", "http://2130706433:3000/"],
    ["LocalHost:8080", "http://localhost.:8080/"],
    ["wiki.local", "http://wiki.local/"],
    ["wiki.local", "https://wiki.local:8443/"],
    ["[::1]:8080", "http://[::1]:8080/"],
    ["::1", "http://[0::1]/"],
    ["example.com:22", "http://example.com:22/"],
  ])("%s lets %s through and is named", (entry, url) => expect(verdictOf(url, [entry])).toBe(entry));

  it.each([
    ["127.0.0.1:3000", "http://127.0.0.1:3001/"],
    ["127.0.0.1:3000", "http://127.0.0.2:3000/"],
    ["wiki.local", "http://wiki.local:9200/"],
    ["wiki.local", "http://x.wiki.local/"],
    ["local", "http://wiki.local/"],
  ])("%s does not open %s", (entry, url) => expect(verdictOf(url, [entry])).toBe("blocked_address"));

  it.each(["http://wiki.local", "wiki.local/path", "user@wiki.local", "a b", "", "wiki.local:99999"])("refuses the entry %j", (entry) =>
    expect(() => parseAllowHosts([entry])).toThrow(expect.objectContaining({ code: "config_invalid" })),
  );

  it("is asked by host and port", () => {
    const allowed = parseAllowHosts(["wiki.corp:3000"]);
    expect(findAllowance("wiki.corp", 3000, allowed)?.entry).toBe("wiki.corp:3000");
    expect(findAllowance("wiki.corp", 80, allowed)).toBeUndefined();
  });
});
