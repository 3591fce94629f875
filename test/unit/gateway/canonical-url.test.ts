import { array, assert, constantFrom, property, tuple, webFragments, webQueryParameters } from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalKey, canonicalKeyOf } from "../../../src/gateway/store/canonical-url.ts";

describe("the canonical key of a URL", () => {
  it.each([
    ["drops tracking parameters", "https://e.org/a?utm_source=x&id=1&fbclid=2", "https://e.org/a?id=1"],
    ["drops the question mark with the last of them", "https://e.org/a?utm_source=x", "https://e.org/a"],
    ["drops the fragment", "https://e.org/a#part", "https://e.org/a"],
    ["drops the default port", "https://e.org:443/a", "https://e.org/a"],
    ["keeps another port", "https://e.org:8443/a", "https://e.org:8443/a"],
    ["drops the trailing dot of the host", "https://e.org./a", "https://e.org/a"],
    ["folds the case of the host alone", "https://E.ORG/A", "https://e.org/A"],
    ["writes international hosts in one way", "https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["keeps the order of parameters", "https://e.org/a?b=2&a=1", "https://e.org/a?b=2&a=1"],
    ["keeps a wiki link", "https://e.org/wiki?WikiWord", "https://e.org/wiki?WikiWord"],
    ["keeps empty and repeated parameters", "https://e.org/a?x=&x=1&&y", "https://e.org/a?x=&x=1&&y"],
    ["keeps the spelling of escapes", "https://e.org/a%2fb?q=a+b%20c", "https://e.org/a%2fb?q=a+b%20c"],
    ["keeps a parameter that only begins like a tracking one", "https://e.org/a?utm=1&refs=2", "https://e.org/a?utm=1&refs=2"],
    ["knows a DOI", "https://doi.org/10.1000/ABC.1", "doi:10.1000/abc.1"],
    ["knows an escaped DOI", "http://dx.doi.org/10.1000%2Fabc", "doi:10.1000/abc"],
    ["knows an arXiv abstract", "https://arxiv.org/abs/2101.00001v2", "arxiv:2101.00001"],
    ["knows an arXiv PDF", "http://arxiv.org/pdf/2101.00001.pdf", "arxiv:2101.00001"],
    ["knows an old arXiv id", "https://arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"],
    ["knows the DOI of an arXiv paper", "https://doi.org/10.48550/arXiv.2101.00001", "arxiv:2101.00001"],
    ["leaves a DOI in a publisher's path alone", "https://pub.example/doi/10.1000/abc", "https://pub.example/doi/10.1000/abc"],
  ])("%s", (_, url, key) => expect(canonicalKey(url)).toBe(key));

  it("stays the same when made again, and never changes host or path", () => {
    const hosts = constantFrom("e.org", "E.ORG", "bücher.example:443", "[2606:4700::1]:8443");
    const segments = array(constantFrom("a", "B", "%2f", "..", "~x", "日", "a;b", "x:y", ""), { maxLength: 4 });
    const part = { size: "xsmall" } as const;
    const urls = tuple(hosts, segments, webQueryParameters(part), webFragments(part)).map(
      ([host, path, query, fragment]) => `https://${host}/${path.join("/")}?utm_source=x&${query}#${fragment}`,
    );
    assert(
      property(urls, (url) => {
        const key = canonicalKey(url);
        expect(canonicalKey(key)).toBe(key);
        expect(new URL(key).pathname).toBe(new URL(url).pathname);
        expect(new URL(key).host).toBe(new URL(url).host);
        expect(new URL(key).search).toBe(new URL(url).search.replace("utm_source=x&", "").replace(/^\?$/, ""));
      }),
    );
  });

  it("prefers what the work says of itself", () => {
    expect(canonicalKeyOf({ url: "https://e.org/x", doi: "10.1/AB" })).toBe("doi:10.1/ab");
    expect(canonicalKeyOf({ url: "https://e.org/x", doi: "10.48550/arxiv.2101.00001" })).toBe("arxiv:2101.00001");
    expect(canonicalKeyOf({ url: "https://e.org/x?print=1", canonical_url: "https://e.org/x" })).toBe("https://e.org/x");
  });

  it("does not let a page take the identity of another site's page", () => {
    expect(canonicalKeyOf({ url: "https://evil.example/x", canonical_url: "https://good.example/x" })).toBe("https://evil.example/x");
  });
});
