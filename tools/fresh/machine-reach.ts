// How this machine reaches package archives and registries, so that a fresh one reaches the same: proxies, certificates, registries.

import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { runTool } from '../../test/harness/hosts/run-tool.ts';

const VARIABLE = /^(?:(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS)$/i;
const APT_OPTION = /^Acquire::(?:\w+::Proxy\b|Check-Valid-Until )/;

export const reachVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      VARIABLE.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

/** Lines for apt.conf. */
export async function reachOfApt(): Promise<string[]> {
  return (await runTool(['apt-config', 'dump'])).split('\n').filter(line => APT_OPTION.test(line));
}

/** By path on this machine, and on the fresh one. */
function reachFiles(): readonly (readonly [from: string, to: string])[] {
  const same = [
    ...['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'],
    ...['/usr/local/share/ca-certificates', process.env['NODE_EXTRA_CA_CERTS'] ?? ''],
  ];
  const registry = path.join(homedir(), '.npmrc');
  return [...same.map(file => [file, file] as const), [registry, '/root/.npmrc'] as const];
}

export function copyReach(root: string): void {
  for (const [from, to] of reachFiles().filter(([each]) => each !== '' && existsSync(each))) {
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    cpSync(from, path.join(root, to), { recursive: true, dereference: true });
  }
}
