/** Answers of search services in their real shapes, written for one paper that all of them know. */
export const OPENALEX = {
  meta: { count: 1 },
  results: [
    {
      id: "https://openalex.org/W1",
      doi: "https://doi.org/10.1000/XYZ",
      display_name: "On counting",
      publication_date: "2020-03-01",
      authorships: [{ author: { display_name: "Ada Lovelace" } }, { author: { display_name: null } }],
      primary_location: {
        landing_page_url: "https://doi.org/10.1000/xyz",
        pdf_url: null,
        source: { id: "https://openalex.org/S1", display_name: "Journal of Counting" },
      },
      best_oa_location: { landing_page_url: null, pdf_url: "https://repository.example/xyz.pdf", source: null },
      abstract_inverted_index: { We: [0], count: [1, 3], and: [2], "again.": [4] },
      is_retracted: true,
    },
  ],
};

export const CROSSREF = {
  status: "ok",
  message: {
    "total-results": 2,
    items: [
      {
        DOI: "10.1000/other",
        title: ["Another &amp; more"],
        "container-title": ["Annals of Counting"],
        author: [{ given: "Grace", family: "Hopper" }, { name: "A Group" }],
        issued: { "date-parts": [[1999, 4]] },
      },
      {
        DOI: "10.1000/XYZ",
        URL: "https://doi.org/10.1000/XYZ",
        title: ["On <i>counting</i>"],
        abstract: "<jats:p>We <jats:italic>count</jats:italic>.</jats:p>",
        issued: { "date-parts": [[null]] },
      },
    ],
  },
};

export const EUROPEPMC = {
  hitCount: 1,
  resultList: {
    result: [
      {
        id: "123",
        source: "MED",
        doi: "10.1000/xyz",
        title: "On counting.",
        abstractText: "<h4>Aim</h4>We count.",
        authorString: "Lovelace A, Hopper G.",
        journalInfo: { journal: { title: "Journal of Counting" } },
        firstPublicationDate: "2020-03-01",
        pubTypeList: { pubType: ["Journal Article"] },
      },
    ],
  },
};

export const ARXIV = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <opensearch:totalResults>1</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/abs/2101.00001v2</id>
    <published>2021-01-01T00:00:00Z</published>
    <title>Counting
      &amp; ordering</title>
    <summary>We count.</summary>
    <author><name>Ada Lovelace</name></author>
  </entry>
</feed>`;

export const ARXIV_ERROR = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#bad</id><title>Error</title><summary>malformed query</summary></entry></feed>`;

export const WIKIPEDIA = {
  pages: [
    {
      id: 1,
      key: "Counting_(maths)",
      title: "Counting",
      excerpt: 'To <span class="searchmatch">count</span> &amp; order',
      matched_title: null,
      description: "Finding how many",
    },
  ],
};

export const SEARXNG = {
  query: "counting",
  results: [
    {
      url: "https://e.org/counting",
      title: "Counting",
      content: "How to count",
      engine: "x",
      engines: ["x"],
      score: 1,
      publishedDate: null,
    },
    {
      url: "https://doi.org/10.1000/xyz",
      title: "On counting",
      content: null,
      authors: ["Ada Lovelace"],
      doi: "10.1000/XYZ",
      journal: "Journal of Counting",
      pdf_url: "https://repository.example/xyz.pdf",
      publishedDate: "2020-03-01T00:00:00",
      pubdate: "2020-03-01 00:00:00",
    },
  ],
  unresponsive_engines: [["slow engine", "timeout"]],
};
