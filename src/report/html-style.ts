import { sha256 } from "../domain/hash.ts";

/** The page's only style sheet: light and dark by the reader's setting, and for paper. Contrasts are at least 4.5:1. */
export const STYLE = `:root{color-scheme:light dark;--paper:#ffffff;--ink:#1b1b1f;--dim:#565660;--link:#0b4fb3;--line:#c9c9d2;--box:#f3f3f7;--bad:#a3141e;--good:#17622d;--bar:#3b6fc4}
@media (prefers-color-scheme:dark){:root{--paper:#16161a;--ink:#e8e8ec;--dim:#b0b0bb;--link:#8ab4f8;--line:#44444e;--box:#222228;--bad:#ff9a9a;--good:#8fd6a2;--bar:#7aa5ee}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:50rem;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{line-height:1.25}h2{margin-top:2.2rem;border-bottom:1px solid var(--line)}
a{color:var(--link)}a:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
.about,.note{color:var(--dim);font-size:.92rem}
.banner,.answer,blockquote{background:var(--box);border-left:4px solid var(--bar);padding:.6rem 1rem;margin:1rem 0}
.bad{color:var(--bad);font-weight:600}.good{color:var(--good);font-weight:600}
.cite{position:relative}.quote{display:none;position:absolute;z-index:1;left:0;top:1.5em;width:min(24rem,80vw);padding:.6rem;background:var(--box);color:var(--ink);border:1px solid var(--line);font-size:.9rem}
.cite:hover .quote,.cite:focus-within .quote{display:block}
:target{outline:2px solid var(--bar);outline-offset:3px}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem}caption{text-align:left;color:var(--dim)}th,td{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
code{background:var(--box);padding:0 .2em}
figure{margin:1rem 0}svg{max-width:100%;height:auto}svg text{fill:var(--ink);font:13px system-ui,sans-serif}svg rect{fill:var(--bar)}svg line{stroke:var(--line)}
@media print{body{max-width:none;color:#000;background:#fff}.skip,nav,.quote,.cite:hover .quote{display:none}a{color:inherit}h2,h3{break-after:avoid}table,figure,blockquote{break-inside:avoid}}
`;

/** Nothing is loaded, nothing runs, and no other style than the one above is taken. */
export const POLICY = `default-src 'none'; style-src 'sha256-${Buffer.from(sha256(STYLE), "hex").toString("base64")}'; base-uri 'none'; form-action 'none'`;
