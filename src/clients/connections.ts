// Connections to servers of other systems, kept open for a while and shared by all who ask the same server. Certificates are always
// verified: there is no way to ask for less.

import { createSecureContext, getCACertificates } from 'node:tls';
import { Agent } from 'undici';
import type { AddressRule } from './guarded-lookup.ts';
import { guardedLookup, NO_METADATA, requireAllowed } from './guarded-lookup.ts';
import type { TlsFiles } from './tls-files.ts';
import { readTlsFiles, refuseNoCertificate, stateOfFiles } from './tls-files.ts';

/** Old ones are closed when there are more. */
const MOST_KEPT = 64;
const CONNECT_TIMEOUT_MS = 5000;
const KEEP_OPEN_MS = 30_000;

export class Connections {
  /** By server and by the state of its files, the one that was used last at the end. */
  readonly #agents = new Map<string, Promise<Agent>>();
  readonly #rule: AddressRule | undefined;

  constructor({ allowsLinkLocal = false }: { readonly allowsLinkLocal?: boolean } = {}) {
    this.#rule = allowsLinkLocal ? undefined : NO_METADATA;
  }

  /** A file that was replaced counts from the next call on. */
  async agentFor(origin: string, files: TlsFiles): Promise<Agent> {
    requireAllowed(new URL(origin), this.#rule);
    const key = `${origin} ${await stateOfFiles(files)}`;
    const kept = this.#agents.get(key);
    const agent = kept ?? openAgent(origin, files, this.#rule);
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    agent.catch(() => this.#agents.delete(key));
    for (const [old, unused] of this.#agents) {
      if (this.#agents.size <= MOST_KEPT) break;
      this.#agents.delete(old);
      void unused.then(dropped => dropped.close()).catch(() => {});
    }
    return agent;
  }

  /** Nobody is given this agent again; those who have it keep it, and its connections close when they are idle. */
  drop(dropped: Agent): void {
    for (const [key, kept] of this.#agents) {
      const dropIfSame = (agent: Agent) => {
        if (agent === dropped && this.#agents.get(key) === kept) this.#agents.delete(key);
      };
      kept.then(dropIfSame, () => {});
    }
  }

  async close(): Promise<void> {
    const agents = await Promise.allSettled(this.#agents.values());
    this.#agents.clear();
    await Promise.all(agents.map(result => (result.status === 'fulfilled' ? result.value.destroy() : null)));
  }
}

let standard: string[] | undefined;

/** Those that the system trusts, and those that Node brings. */
export function standardAuthorities(): string[] {
  standard ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return standard;
}

/** What is trusted is read once for all connections: there are hundreds of authorities. */
async function openAgent(origin: string, files: TlsFiles, rule: AddressRule | undefined): Promise<Agent> {
  const material = await readTlsFiles(files);
  const isSecured = new URL(origin).protocol === 'https:';
  if (isSecured) refuseNoCertificate(files, material);
  const secureContext = isSecured
    ? createSecureContext({ ...material, ca: material.ca ?? standardAuthorities() })
    : undefined;
  return new Agent({
    connections: 32,
    // With HTTP/2 all would wait for the first connection, to learn what the server speaks.
    allowH2: false,
    keepAliveTimeout: KEEP_OPEN_MS,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      ...(secureContext && { secureContext }),
      ...(rule && { lookup: guardedLookup(rule) }),
    },
  });
}
