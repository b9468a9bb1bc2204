import { isPortFree } from '../http/sockets.ts';
import { runFolder } from './run-folder.ts';

/** 16,384 addresses per run in 127.64.0.0/10. */
const ADDRESSES_PER_RUN = 2 ** 14;

export const loopbackAddress = (run: number, index: number): string => {
  const offset = run * ADDRESSES_PER_RUN + index;
  return `127.${64 + (offset >> 16)}.${(offset >> 8) & 255}.${offset & 255}`;
};

const FIRST_PORT = 2379;

/** Address of the servers of this process. Hosts use the following addresses. */
export const serverAddress = async (): Promise<string> => loopbackAddress((await runFolder()).number, 0);

let nextPort = FIRST_PORT;

/** Never returns the same port twice. */
export async function serverPort(): Promise<number> {
  const address = await serverAddress();
  for (;;) {
    const port = nextPort++;
    if (await isPortFree(address, port)) return port;
  }
}
