/** Tools that every agent may hold. */
const SHARED = [
  "spawn_agent",
  "agent_control",
  "search_memory",
  "publish_finding",
  "read_artifact",
  "web_search",
  "web_read",
  "web_crawl",
  "web_browse",
  "download_source",
  "run_experiment",
  "review_experiment",
  "read",
  "ls",
  "grep",
  "find",
];

/** A plan's author must have somebody above who did not write it, so the root registers none. */
export const CHILD_TOOL_NAMES: string[] = [...SHARED, "register_experiment"];
export const ROOT_TOOL_NAMES: string[] = [...SHARED.filter((name) => name !== "run_experiment"), "research_control", "write_report"];
