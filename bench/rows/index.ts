import type { Row } from "../harness/row.ts";
import { gateway } from "./gateway.ts";
import { journal } from "./journal.ts";
import { hugeMemory, memory } from "./memory.ts";
import { report } from "./report.ts";
import { sandbox } from "./sandbox.ts";
import { start } from "./start.ts";
import { tree } from "./tree.ts";
import { view } from "./view.ts";

/** All rows, in the order of the table. */
export const ROWS: readonly Row[] = [start, memory, hugeMemory, journal, tree, gateway, sandbox, report, view];
