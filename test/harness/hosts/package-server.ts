import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import path from 'node:path';
import { runBridge } from './bridge.ts';
import type { ToyVersion } from './package-repositories.ts';
import { packageRepositories } from './package-repositories.ts';

const PORT = 8099;

/** Serves packages and trees to the systemd hosts of this process, on their bridge. */
export class PackageServer {
  readonly url: string;
  readonly #roots: Map<string, string>;
  readonly #repositories: string;
  /** Whoever asks is told that it is out of order. */
  isBroken = false;

  constructor(url: string, repositories: string) {
    this.url = url;
    this.#repositories = repositories;
    this.#roots = new Map();
    this.offer('1.0');
  }

  /** From now on the repositories of packages have this version. */
  offer(version: ToyVersion): void {
    for (const kind of ['deb', 'rpm']) this.serve(kind, path.join(this.#repositories, kind, version));
  }

  /** Everything below a folder, under a name. */
  serve(name: string, folder: string): void {
    this.#roots.set(name, folder);
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const [, name = '', ...rest] = path.posix.normalize(decodeURIComponent(pathname)).split('/');
    const root = this.#roots.get(name);
    const file = path.join(root ?? '', ...rest);
    const found = root === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
    if (this.isBroken || !found?.isFile()) {
      response.writeHead(this.isBroken ? 503 : 404).end();
      return;
    }
    // Without a date nobody takes an older answer for good.
    response.writeHead(200, { 'content-length': found.size });
    createReadStream(file).pipe(response);
  }
}

async function start(): Promise<PackageServer> {
  const [{ address }, repositories] = await Promise.all([runBridge(), packageRepositories()]);
  const packages = new PackageServer(`http://${address}:${PORT}`, repositories);
  const server = createServer((request, response) => packages.answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, address, resolve);
  });
  // It is no reason for the process to stay.
  server.unref();
  return packages;
}

let started: Promise<PackageServer> | undefined;

export function packageServer(): Promise<PackageServer> {
  started ??= start();
  return started;
}
