import type { Terminal } from '../terminal.ts';
import type { Context } from './contexts-file.ts';
import { changeContexts, readContexts } from './contexts-file.ts';

/** Who has changed the own password goes on with the new one: every context that had the old one for this account gets it. */
export function keepPassword(environment: Terminal['environment'], used: Context, password: string): void {
  const isSame = (kept: Context) =>
    kept.user === used.user &&
    kept.password === used.password &&
    kept.servers.some(server => used.servers.includes(server));
  if (!Object.values(readContexts(environment).all).some(isSame)) return;
  changeContexts(environment, ({ current, all }) => {
    const entries = Object.entries(all).map(([name, kept]) => [
      name,
      isSame(kept) ? { ...kept, password } : kept,
    ]);
    return { current, all: Object.fromEntries(entries) };
  });
}
