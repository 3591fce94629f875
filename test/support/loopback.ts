import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackAddress {
  /** `127.0.0.1:<port>` */
  host: string;
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /** Ends open connections too. */
  close: () => Promise<void>;
}

/** Lets a server listen on a free port that only this machine can reach. */
export async function listenOnLoopback(server: Server): Promise<LoopbackAddress> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    origin: `http://${host}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
