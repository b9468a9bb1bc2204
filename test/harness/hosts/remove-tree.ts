import { rmSync } from 'node:fs';
import { tryTool } from './run-tool.ts';

/** Also where roots of OSTree deployments are in it, which are immutable. */
export async function removeTree(folder: string): Promise<void> {
  await tryTool(['chattr', '-R', '-f', '-i', folder]);
  rmSync(folder, { recursive: true, force: true });
}
