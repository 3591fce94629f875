import type { AgentSpec } from "../../domain/agent.ts";
import { agentControl } from "./agent-control.ts";
import { findFiles, grepFiles, listFolder, readFile } from "./project-tools.ts";
import { publishFinding } from "./publish-finding.ts";
import { readArtifact } from "./read-artifact.ts";
import { registerExperiment } from "./register-experiment.ts";
import { researchControl } from "./research-control.ts";
import { reviewExperiment } from "./review-experiment.ts";
import { runExperiment } from "./run-experiment.ts";
import { searchMemory } from "./search-memory.ts";
import { spawnAgent } from "./spawn-agent.ts";
import type { Tool } from "./tool.ts";
import { downloadSource, webBrowse, webCrawl, webRead, webSearch } from "./web-tools.ts";
import { writeReportTool } from "./write-report.ts";

const ALL: Tool[] = [
  spawnAgent,
  agentControl,
  searchMemory,
  publishFinding,
  readArtifact,
  webSearch,
  webRead,
  webCrawl,
  webBrowse,
  downloadSource,
  registerExperiment,
  runExperiment,
  reviewExperiment,
  readFile,
  listFolder,
  grepFiles,
  findFiles,
  researchControl,
  writeReportTool,
];

/** The tools that an agent's specification names. */
export function toolsFor(spec: AgentSpec): Tool[] {
  return ALL.filter((tool) => spec.tools.includes(tool.name));
}
