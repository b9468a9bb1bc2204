import { Agent, request } from 'node:http';

export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends `count` requests over `connections` kept-alive connections, each as soon as the one before it is answered. */
export async function load(
  url: string,
  count: number,
  connections: number,
  shot: (index: number) => Shot,
): Promise<Figures> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const timesMs: number[] = [];
  let next = 0;

  const send = ({ method, path, headers = {}, body }: Shot) =>
    new Promise<void>((resolve, reject) => {
      const call = request({ agent, hostname, port, method, path, headers }, response => {
        response.resume();
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status < 300) resolve();
          else reject(new Error(`${method} ${path} answered ${status}`));
        });
      });
      call.on('error', reject);
      call.end(body);
    });

  async function worker() {
    while (next < count) {
      const index = next;
      next += 1;
      const startedAt = performance.now();
      await send(shot(index));
      timesMs.push(performance.now() - startedAt);
    }
  }

  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  timesMs.sort((a, b) => a - b);
  const at = (share: number) =>
    timesMs[Math.min(timesMs.length - 1, Math.floor(timesMs.length * share))] ?? 0;
  return { perSecond: count / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
