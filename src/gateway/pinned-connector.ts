import type { Socket } from "node:net";
import { isIP } from "node:net";
import { lookup } from "node:dns/promises";
import type { buildConnector } from "undici";
import { HypoError, messageOf, systemCodeOf } from "../domain/errors.ts";
import { blockedAddress, findAddressProblem, findAllowance, portOf, type AllowedHost } from "./address-policy.ts";

/** All addresses of a host name, in the order to try them. */
export type Resolve = (host: string) => Promise<string[]>;

/** The system's resolver: hosts file and DNS. */
export const resolveBySystem: Resolve = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

export interface PinnedConnectorOptions {
  resolve: Resolve;
  allowed: readonly AllowedHost[];
  /** Longest time for one address, in milliseconds. */
  timeoutMs: number;
  build: typeof buildConnector;
}

/**
 * A connector that resolves names itself, asks the address policy about every address, literal or resolved, and
 * connects to exactly the address it asked about. The TLS name stays the URL's host.
 */
export function createPinnedConnector({ resolve, allowed, timeoutMs, build }: PinnedConnectorOptions): buildConnector.connector {
  const connectTo = build({ timeout: timeoutMs, allowH2: false, rejectUnauthorized: true });

  async function connect(options: buildConnector.Options): Promise<Socket> {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    const usable = await findUsableAddresses(host, portOf(options), resolve, allowed);
    return await connectToFirst(usable, (address) => connectOnce(options, host, address));
  }

  function connectOnce(options: buildConnector.Options, host: string, address: string): Promise<Socket> {
    const { servername: _, ...plain } = options;
    const secure = options.protocol === "https:" && isIP(host) === 0;
    const pinned = { ...plain, hostname: address, ...(secure ? { servername: host.replace(/\.+$/, "") } : {}) };
    return new Promise((done, fail) => {
      connectTo(pinned, (error, socket) => (error === null ? done(socket) : fail(error)));
    });
  }

  return (options, callback) => void deliver(connect(options), callback);
}

async function deliver(connection: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  const [failure, socket] = await connection.then(
    (made) => [undefined, made] as const,
    (error: unknown) => [error instanceof Error ? error : new Error(messageOf(error))] as const,
  );
  if (failure === undefined) callback(null, socket);
  else callback(failure, null);
}

/**
 * The addresses of a host (a name, or a literal without brackets) that the policy lets a connection be made to.
 *
 * @throws HypoError `blocked_address` where there is none, `network_error` where the name cannot be resolved.
 */
export async function findUsableAddresses(
  host: string,
  port: number,
  resolve: Resolve,
  allowed: readonly AllowedHost[],
): Promise<string[]> {
  const addresses = await resolveHost(host, resolve);
  if (findAllowance(host, port, allowed) !== undefined) return addresses;
  const problems = addresses.map(findAddressProblem);
  const usable = addresses.filter((_, index) => problems[index] === undefined);
  if (usable.length === 0) throw blockedAddress(host, problems.find((problem) => problem !== undefined) ?? "it has no address");
  return usable;
}

async function resolveHost(host: string, resolve: Resolve): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return await resolve(host);
  } catch (error) {
    throw new HypoError("network_error", `The host ${host} cannot be found (${systemCodeOf(error) ?? messageOf(error)}).`, {
      hint: "Check the spelling of the host and the network connection.",
      cause: error,
    });
  }
}

async function connectToFirst(addresses: string[], connect: (address: string) => Promise<Socket>): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await connect(address);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
