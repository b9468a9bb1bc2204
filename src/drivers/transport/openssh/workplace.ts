import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { folderPrefix } from './leftovers.ts';
import type { SshListener } from './ssh-process.ts';
import { SshProcess } from './ssh-process.ts';

const open = new Set<Workplace>();

/** Processes of their own outlive a server that ends without closing its connections. */
process.on('exit', () => {
  for (const workplace of open) workplace.clear();
});

/** What one connection has on this machine: a folder that only we can enter, and processes. Once cleared, nothing of it is left. */
export class Workplace {
  readonly #folder: string;
  readonly #processes = new Set<SshProcess>();
  isCleared = false;

  constructor(tempFolder: string) {
    this.#folder = mkdtempSync(path.join(tempFolder, folderPrefix()));
    open.add(this);
  }

  at(name: string): string {
    return path.join(this.#folder, name);
  }

  /** Starts `ssh`; not after the place was cleared. */
  start(args: readonly string[], listener: SshListener): SshProcess {
    if (this.isCleared) throw new Error('the place is cleared');
    const ssh = new SshProcess(args, {
      ...listener,
      onEnd: end => {
        this.#processes.delete(ssh);
        if (this.isCleared) this.#remove();
        listener.onEnd(end);
      },
    });
    this.#processes.add(ssh);
    return ssh;
  }

  /** May be repeated. What ends by it says so to its listener, a moment later. */
  clear(): void {
    this.isCleared = true;
    for (const ssh of this.#processes) ssh.kill();
    this.#remove();
  }

  /** A process may still make a file before it is gone, so this is repeated when it is. */
  #remove(): void {
    if (this.#processes.size === 0) open.delete(this);
    try {
      rmSync(this.#folder, { recursive: true, force: true });
    } catch {
      // Something was put there meanwhile; the end of its process comes here again.
    }
  }
}
