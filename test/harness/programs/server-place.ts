import { freePort, loopbackAddress } from '../hosts/loopback-address.ts';
import { runFolder } from '../hosts/run-folder.ts';

const FIRST_PORT = 2379;

/** Of the servers of this process. Hosts have those from the first on. */
export const serverAddress = async (): Promise<string> => loopbackAddress((await runFolder()).number, 0);

let next = FIRST_PORT;

/** On that address; nobody else gets it. */
export async function serverPort(): Promise<number> {
  const address = await serverAddress();
  for (;;) {
    const free = await freePort(address, next++);
    if (free !== undefined) return free;
  }
}
