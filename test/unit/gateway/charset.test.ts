import { describe, expect, it } from "vitest";
import { decodeText } from "../../../src/gateway/extract/charset.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("the charset of a page", () => {
  it.each<[string, Uint8Array, string | undefined, string]>([
    ["is UTF-8 where the bytes are", Buffer.from("naïve café"), undefined, "naïve café"],
    ["is windows-1252 where they are not", latin("caf\xe9 \x93quoted\x94"), undefined, "café “quoted”"],
    ["comes from the header", latin("\xd0\xd2\xc9"), "koi8-r", "при"],
    ["comes from the header before the page", latin('<meta charset="utf-8">\xe9'), "iso-8859-1", '<meta charset="utf-8">é'],
    ["comes from meta charset", latin("<meta charset=windows-1251>\xef\xf0\xe8"), undefined, "<meta charset=windows-1251>при"],
    [
      "comes from meta http-equiv",
      latin('<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">\x93\xfa'),
      undefined,
      '<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">日',
    ],
    [
      "comes from an XML declaration",
      latin('<?xml version="1.0" encoding="ISO-8859-2"?>\xb1'),
      undefined,
      '<?xml version="1.0" encoding="ISO-8859-2"?>ą',
    ],
    ["is not taken from a comment", Buffer.from("<!-- <meta charset=koi8-r> -->é"), undefined, "<!-- <meta charset=koi8-r> -->é"],
    ["comes from a byte order mark before everything", Buffer.from("\ufeff<meta charset=koi8-r>é"), "koi8-r", "<meta charset=koi8-r>é"],
    ["comes from a UTF-16 mark", Buffer.concat([latin("\xff\xfe"), Buffer.from("日本", "utf16le")]), undefined, "日本"],
    ["comes from a big-endian UTF-16 mark", latin("\xfe\xff\x65\xe5"), undefined, "日"],
    ["is UTF-8 where meta claims UTF-16", Buffer.from("<meta charset=utf-16>é"), undefined, "<meta charset=utf-16>é"],
    ["is found again where a label means nothing", Buffer.from("é"), "x-no-such-charset", "é"],
    [
      "is EUC-KR where the page says so",
      Buffer.concat([latin("<meta charset=euc-kr>"), latin("\xc7\xd1")]),
      undefined,
      "<meta charset=euc-kr>한",
    ],
    ["is GBK where the header says so", latin("\xd6\xd0"), "gb2312", "中"],
  ])("%s", (_, bytes, header, text) => expect(decodeText(bytes, header, "html")).toBe(text));

  // The bytes as other programs encode these sentences, in hexadecimal: nothing declares them.
  it.each([
    [
      "Russian in windows-1251",
      "d1f2eeebe8f6e020d0eef1f1e8e820f0e0f1efeeebeee6e5ede020ede020f0e5eae520cceef1eae2e52e20ddf2ee20eaf0f3efede5e9f8e8e920e3eef0eee420f1f2f0e0edfb20efee20ede0f1e5ebe5ede8fe2c20e820eeed20ffe2ebffe5f2f1ff20e2e0e6edfbec20f6e5edf2f0eeec20eaf3ebfcf2f3f0fb20e820ede0f3eae82e20c7e4e5f1fc20ede0f5eee4fff2f1ff20f2e5e0f2f0fb2c20ecf3e7e5e820e820f3ede8e2e5f0f1e8f2e5f2fb2c20e020f2e0eae6e520eef0e3e0edfb20e3eef1f3e4e0f0f1f2e2e5ededeee920e2ebe0f1f2e82e",
      "Столица России расположена на реке Москве. Это крупнейший город страны по населению, и он является важным центром культуры и науки. Здесь находятся театры, музеи и университеты, а также органы государственной власти.",
    ],
    [
      "Russian in KOI8-R",
      "f3d4cfccc9c3c120f2cfd3d3c9c920d2c1d3d0cfcccfd6c5cec120cec120d2c5cbc520edcfd3cbd7c52e20fcd4cf20cbd2d5d0cec5cadbc9ca20c7cfd2cfc420d3d4d2c1ced920d0cf20cec1d3c5ccc5cec9c02c20c920cfce20d1d7ccd1c5d4d3d120d7c1d6ced9cd20c3c5ced4d2cfcd20cbd5ccd8d4d5d2d920c920cec1d5cbc92e20fac4c5d3d820cec1c8cfc4d1d4d3d120d4c5c1d4d2d92c20cdd5dac5c920c920d5cec9d7c5d2d3c9d4c5d4d92c20c120d4c1cbd6c520cfd2c7c1ced920c7cfd3d5c4c1d2d3d4d7c5cececfca20d7ccc1d3d4c92e",
      "Столица России расположена на реке Москве. Это крупнейший город страны по населению, и он является важным центром культуры и науки. Здесь находятся театры, музеи и университеты, а также органы государственной власти.",
    ],
    [
      "Japanese in Shift_JIS",
      "82a282eb82cd82c982d982d682c62082bf82e882ca82e982f0814293fa967b8cea82cc95b68fcd82f093c782de82b182c682aa82c582ab82dc82b78142",
      "いろはにほへと ちりぬるを。日本語の文章を読むことができます。",
    ],
    [
      "Japanese in EUC-JP",
      "a4a4a4eda4cfa4cba4dba4d8a4c820a4c1a4eaa4cca4eba4f2a1a3c6fccbdcb8eca4cecab8becfa4f2c6c9a4e0a4b3a4c8a4aca4c7a4ada4dea4b9a1a3",
      "いろはにほへと ちりぬるを。日本語の文章を読むことができます。",
    ],
    [
      "Korean in EUC-KR",
      "c5b0bdbac0c720b0edc0afc1b6b0c7c0ba20c0d4bcfab3a2b8ae20b8b8b3aabedf20c7cfb0ed20c6afbab0c7d120b1e2bcfac0ba20c7cabfe4c4a120becab4d92e20c7d1b1b9beee20b9aec0e5c0d4b4cfb4d92e",
      "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. 한국어 문장입니다.",
    ],
    [
      "Chinese in GB18030",
      "ced2c3c7bdf1ccecccd6c2dbb5c4cac7c8e7baced4dac3bbd3d0c9f9c3f7b5c4c7e9bff6cfc2cab6b1f0cec4d7d6b1e0c2eba1a3d5e2cac7d2bbb8f6badcb3a4b5c4bee4d7d3a1a3",
      "我们今天讨论的是如何在没有声明的情况下识别文字编码。这是一个很长的句子。",
    ],
    [
      "Chinese in Big5",
      "a7daadcca4b5a4d1b051bdd7aabaac4fa670a6f3a662a853a6b3abc5a769aabab1a1aa70a455c3d1a74fa4e5a672bd73bd58a143b36fac4fa440add3abdcaaf8aabaa579a46ca143",
      "我們今天討論的是如何在沒有宣告的情況下識別文字編碼。這是一個很長的句子。",
    ],
    [
      "French in ISO-8859-1",
      "506f7274657a20636520766965757820776869736b79206175206a75676520626c6f6e64207175692066756d653a20e974e92c20666f72ea742c20676172e76f6e2c206ff92c206dea6d652c2064e96ae02c207472e8732c207072e8732c20e96ce876652e",
      "Portez ce vieux whisky au juge blond qui fume: été, forêt, garçon, où, même, déjà, très, près, élève.",
    ],
  ])("is found in the bytes where nothing declares it: %s", (_, hex, text) => {
    const page = Buffer.concat([Buffer.from("<!doctype html><html><body><p>"), Buffer.from(hex, "hex"), Buffer.from("</p></body></html>")]);
    expect(decodeText(page, undefined, "html")).toContain(text);
    expect(decodeText(page, undefined, "none")).toContain(text);
  });

  it("is found in spite of a long beginning in ASCII", () => {
    const page = Buffer.concat([
      Buffer.from(`<html>${"<div class=menu>Menu</div>".repeat(2_000)}`),
      Buffer.from(
        "d1f2eeebe8f6e020d0eef1f1e8e820f0e0f1efeeebeee6e5ede020ede020f0e5eae520cceef1eae2e52e20ddf2ee20eaf0f3efede5e9f8e8e920e3eef0eee420f1f2f0e0edfb20efee20ede0f1e5ebe5ede8fe2c20e820eeed20ffe2ebffe5f2f1ff20e2e0e6edfbec20f6e5edf2f0eeec20eaf3ebfcf2f3f0fb20e820ede0f3eae82e20c7e4e5f1fc20ede0f5eee4fff2f1ff20f2e5e0f2f0fb2c20ecf3e7e5e820e820f3ede8e2e5f0f1e8f2e5f2fb2c20e020f2e0eae6e520eef0e3e0edfb20e3eef1f3e4e0f0f1f2e2e5ededeee920e2ebe0f1f2e82e",
        "hex",
      ),
    ]);
    expect(decodeText(page, undefined, "html").slice(-250)).toContain("центром культуры и науки");
  });

  it("is not looked for in plain text", () =>
    expect(decodeText(latin("<meta charset=koi8-r>\xe9"), undefined, "none")).toBe("<meta charset=koi8-r>é"));
});
