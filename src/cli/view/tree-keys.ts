import type { AgentId } from "../../domain/ids.ts";
import type { Key } from "./keys.ts";
import type { Seen } from "./press-key.ts";
import type { Screen } from "./screen.ts";
import { lineOfAgent, type TreeLine } from "./tree-lines.ts";

/** Moves through the tree, folds and opens it. */
export function moveInTree(screen: Screen, name: Key["name"], { state, view }: Seen): Screen {
  const { lines, pageHeight } = view;
  const at = lineOfAgent(lines, screen.selected, state);
  const line = lines[at];
  if (!line) return screen;
  switch (name) {
    case "up":
      return select(screen, lines[at - 1]);
    case "down":
      return select(screen, lines[at + 1]);
    case "page_up":
      return select(screen, lines[Math.max(0, at - pageHeight)]);
    case "page_down":
      return select(screen, lines[Math.min(lines.length - 1, at + pageHeight)]);
    case "home":
      return select(screen, lines[0]);
    case "end":
      return select(screen, lines.at(-1));
    case "right":
      return openLine(screen, line);
    case "left":
      return foldLine(screen, line);
    default:
      return screen;
  }
}

function select(screen: Screen, line: TreeLine | undefined): Screen {
  const agent = line && agentOf(line);
  return agent === undefined ? screen : { ...screen, selected: agent };
}

/** The agent that stands for a line: itself, or the first of those gathered. */
function agentOf(line: TreeLine): AgentId | undefined {
  return line.kind === "agent" ? line.agent.id : line.agents[0]?.id;
}

/** Shows what is below an agent, or those that were gathered, one by one. */
function openLine(screen: Screen, line: TreeLine): Screen {
  const id = line.kind === "agent" ? line.agent.id : (line.agents[0]?.parent ?? undefined);
  if (id === undefined) return screen;
  return { ...select(screen, line), folding: { folded: without(screen.folding.folded, id), opened: withOne(screen.folding.opened, id) } };
}

/** Folds what is below an agent; where there is nothing to fold, goes to its parent. */
function foldLine(screen: Screen, line: TreeLine): Screen {
  const agent = line.kind === "agent" ? line.agent : line.agents[0];
  if (!agent) return screen;
  const { folded, opened } = screen.folding;
  const canFold = line.kind === "agent" && agent.children.length > 0 && line.folded === 0;
  if (!canFold) return agent.parent === null ? screen : { ...screen, selected: agent.parent };
  return { ...screen, selected: agent.id, folding: { folded: withOne(folded, agent.id), opened: without(opened, agent.id) } };
}

function withOne(ids: ReadonlySet<AgentId>, id: AgentId): ReadonlySet<AgentId> {
  return new Set([...ids, id]);
}

function without(ids: ReadonlySet<AgentId>, id: AgentId): ReadonlySet<AgentId> {
  return new Set([...ids].filter((each) => each !== id));
}
