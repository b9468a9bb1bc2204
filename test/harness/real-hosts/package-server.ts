import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import path from 'node:path';
import type { ExampleVersion } from './package-repositories.ts';
import { packageRepositories } from './package-repositories.ts';
import { runBridge } from './run-folder.ts';

const PORT = 8099;

/** Serves packages and OSTree repositories to the systemd hosts of this process on their bridge. */
export class PackageServer {
  readonly url: string;
  readonly #roots: Map<string, string>;
  readonly #repositories: string;
  /** Responds with 503. */
  isBroken = false;

  constructor(url: string, repositories: string) {
    this.url = url;
    this.#repositories = repositories;
    this.#roots = new Map();
    this.setVersion('1.0');
  }

  setVersion(version: ExampleVersion): void {
    for (const kind of ['deb', 'rpm']) this.serve(kind, path.join(this.#repositories, kind, version));
  }

  serve(name: string, folder: string): void {
    this.#roots.set(name, folder);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const [, name = '', ...rest] = path.posix.normalize(decodeURIComponent(pathname)).split('/');
    const root = this.#roots.get(name);
    const file = path.join(root ?? '', ...rest);
    const found = root === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
    if (this.isBroken || !found?.isFile()) {
      response.writeHead(this.isBroken ? 503 : 404).end();
      return;
    }
    // Without a date, clients do not cache the response.
    response.writeHead(200, { 'content-length': found.size });
    createReadStream(file).pipe(response);
  }
}

async function startPackageServer(): Promise<PackageServer> {
  const [{ address }, repositories] = await Promise.all([runBridge(), packageRepositories()]);
  const packages = new PackageServer(`http://${address}:${PORT}`, repositories);
  const server = createServer((request, response) => packages.handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, address, resolve);
  });
  // Does not keep the process alive.
  server.unref();
  return packages;
}

let started: Promise<PackageServer> | undefined;

export function packageServer(): Promise<PackageServer> {
  started ??= startPackageServer();
  return started;
}
