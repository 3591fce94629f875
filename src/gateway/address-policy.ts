/**
 * Which addresses a URL from a model or a page may lead to. Pure: names are resolved elsewhere, and every address that
 * a connection is really made to is asked about here.
 */
import ipaddr from "ipaddr.js";
import { HypoError } from "../domain/errors.ts";

const OPEN_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const LOCAL_SUFFIXES = ["localhost", "local", "internal"];

/** IPv4 that is not globally routable (IANA special-purpose registry), multicast, and the metadata services of clouds. */
const CLOSED_V4 = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "cloud platform"],
  ["169.254.0.0/16", "link-local and cloud metadata"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "AMT"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved or broadcast"],
].map(([range = "", name = ""]) => ({ range: ipaddr.IPv4.parseCIDR(range), name }));

const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");
const MAPPED = ipaddr.IPv6.parseCIDR("::ffff:0:0/96");
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** Holes in 2000::/3: addresses that wrap others, are handed out for protocols, or stand in documentation. */
const CLOSED_V6 = [
  ["2001::/23", "protocol assignments and Teredo"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["3fff::/20", "documentation"],
].map(([range = "", name = ""]) => ({ range: ipaddr.IPv6.parseCIDR(range), name }));

/** An entry of gateway.allow_hosts: a host on the usual ports, or on the one port it names. */
export interface AllowedHost {
  /** As the person wrote it. */
  entry: string;
  host: string;
  port: number | undefined;
}

/**
 * Reads gateway.allow_hosts.
 *
 * @throws HypoError `config_invalid` for an entry that is neither `host` nor `host:port`.
 */
export function parseAllowHosts(entries: readonly string[]): AllowedHost[] {
  return entries.map((entry) => {
    const bare = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f.:]*$/i.test(entry) ? `[${entry}]` : entry;
    const url = /[/?#@\\\s]/.test(bare) ? undefined : URL.parse(`http://${bare}/`);
    if (url === null || url === undefined || url.hostname === "") {
      throw new HypoError("config_invalid", `gateway.allow_hosts has the entry "${entry}", which is neither host nor host:port.`, {
        hint: "Write a bare host such as wiki.corp, or host:port such as wiki.corp:3000.",
      });
    }
    const port = /:(\d+)$/.exec(bare.replace(/^\[[^\]]*\]/, ""))?.[1];
    return { entry, host: normalizeHost(url.hostname), port: port === undefined ? undefined : Number(port) };
  });
}

/** The entry that lets this host and port through, if there is one. */
export function findAllowance(host: string, port: number, allowed: readonly AllowedHost[]): AllowedHost | undefined {
  const name = normalizeHost(host);
  return allowed.find((one) => one.host === name && (one.port === undefined ? OPEN_PORTS.has(port) : one.port === port));
}

/**
 * A URL that may be asked for at all.
 *
 * @throws HypoError `bad_url` where it cannot be parsed, is not http or https, or carries a user name or password.
 */
export function parseTarget(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new HypoError("bad_url", `"${text}" is not a URL.`, { hint: "Give an absolute http or https URL." });
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new HypoError("bad_url", `${url.protocol} URLs are not read.`, { hint: "Give an absolute http or https URL." });
  }
  if (url.username !== "" || url.password !== "") {
    throw new HypoError("bad_url", `The URL for ${url.host} carries a user name or password, which is never sent.`, {
      hint: "Give the URL without credentials.",
    });
  }
  return url;
}

/**
 * Checks what the URL itself says: host name, literal address and port.
 *
 * @returns the entry of gateway.allow_hosts that let it through, if one did.
 * @throws HypoError `blocked_address`.
 */
export function admitUrl(url: URL, allowed: readonly AllowedHost[]): AllowedHost | undefined {
  const port = portOf(url);
  const allowance = findAllowance(url.hostname, port, allowed);
  if (allowance !== undefined) return allowance;
  const host = normalizeHost(url.hostname);
  const local = LOCAL_SUFFIXES.find((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  if (local !== undefined || host === "") throw blockedAddress(url.host, `names under ${local ?? "the root"} are local`);
  if (!OPEN_PORTS.has(port)) throw blockedAddress(url.host, `port ${port} is not one of ${[...OPEN_PORTS].join(", ")}`);
  const problem = ipaddr.isValid(host) ? findAddressProblem(host) : undefined;
  if (problem !== undefined) throw blockedAddress(url.host, problem);
  return undefined;
}

/** Why a connection to this IP address is refused; undefined where it is public. */
export function findAddressProblem(address: string): string | undefined {
  const [bare = ""] = address.replace(/^\[|\]$/g, "").split("%");
  if (!ipaddr.isValid(bare)) return `${address} is not an IP address`;
  const parsed = ipaddr.parse(bare);
  return parsed instanceof ipaddr.IPv4 ? findV4Problem(parsed) : findV6Problem(parsed);
}

function findV4Problem(address: ipaddr.IPv4): string | undefined {
  const closed = CLOSED_V4.find(({ range }) => address.match(range));
  return closed === undefined ? undefined : `${address.toString()} is not public (${closed.name})`;
}

function findV6Problem(address: ipaddr.IPv6): string | undefined {
  if (address.match(MAPPED) || address.match(NAT64)) {
    const problem = findV4Problem(new ipaddr.IPv4(address.toByteArray().slice(12)));
    return problem === undefined ? undefined : `${address.toString()} stands for ${problem}`;
  }
  if (!address.match(GLOBAL_V6)) return `${address.toString()} is not public (outside 2000::/3)`;
  const closed = CLOSED_V6.find(({ range }) => address.match(range));
  return closed === undefined ? undefined : `${address.toString()} is not public (${closed.name})`;
}

export function blockedAddress(host: string, reason: string): HypoError {
  return new HypoError("blocked_address", `${host} is not read: ${reason}.`, {
    hint: "Only public web addresses are read. If this host is yours, add it to gateway.allow_hosts in the configuration.",
  });
}

export function portOf(url: { protocol: string; port: string }): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

function normalizeHost(host: string): string {
  return host
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
}
