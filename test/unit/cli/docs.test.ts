import { describe, expect, it } from "vitest";
import { CONFIG_KEYS } from "../../../src/cli/config/keys.ts";
import { configSchemaText } from "../../../src/cli/config/schema-text.ts";
import { commandsPage, configurationPage, errorsPage } from "./pages.ts";

describe("the documentation says what the code says", () => {
  it("of every command", async () => expect(commandsPage()).toMatchFileSnapshot("../../../docs/cli.md"));
  it("of every setting", async () => expect(configurationPage()).toMatchFileSnapshot("../../../docs/configuration.md"));
  it("of every error", async () => expect(errorsPage()).toMatchFileSnapshot("../../../docs/errors.md"));

  it("to editors, of a configuration file", async () => expect(configSchemaText()).toMatchFileSnapshot("../../../docs/config.schema.json"));

  it("and no setting goes without a line of explanation", () => {
    expect(CONFIG_KEYS.filter((key) => key.summary.length < 10).map((key) => key.name)).toEqual([]);
  });
});
