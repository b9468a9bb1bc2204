import { createServer } from 'node:net';

/** Each run has 16,384 addresses out of 127.64.0.0 to 127.127.255.255. */
const PER_RUN = 2 ** 14;

export const loopbackAddress = (run: number, index: number): string => {
  const offset = run * PER_RUN + index;
  return `127.${64 + (offset >> 16)}.${(offset >> 8) & 255}.${offset & 255}`;
};

/** The port if connection refused yet; with port 0, one that is free. */
export const freePort = (address: string, port: number): Promise<number | undefined> =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, address, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' ? bound?.port : undefined));
    });
  });
