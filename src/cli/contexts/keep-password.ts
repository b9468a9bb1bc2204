import type { Terminal } from '../terminal.ts';
import type { Context } from './contexts-file.ts';
import { readContexts, writeContexts } from './contexts-file.ts';

/** Who has changed the own password goes on with the new one: every context that had the old one for this account gets it. */
export function keepPassword(environment: Terminal['environment'], used: Context, password: string): void {
  const { current, all } = readContexts(environment);
  const isSame = (kept: Context) =>
    kept.user === used.user &&
    kept.password === used.password &&
    kept.servers.some(server => used.servers.includes(server));
  if (!Object.values(all).some(isSame)) return;
  const entries = Object.entries(all).map(([name, kept]) => [
    name,
    isSame(kept) ? { ...kept, password } : kept,
  ]);
  writeContexts(environment, { current, all: Object.fromEntries(entries) });
}
