import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { until } from '../until.ts';

/** The hierarchies that systemd uses: its own and the second version on a hybrid machine, else the only one. */
export function cgroupRoots(): string[] {
  const roots = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'].filter(root => existsSync(root));
  return roots.length > 0 ? roots : ['/sys/fs/cgroup'];
}

/** All hierarchies: Docker uses that of each controller. */
function allRoots(): string[] {
  const top = '/sys/fs/cgroup';
  if (existsSync(path.join(top, 'cgroup.procs'))) return [top];
  const folders = readdirSync(top, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return folders.map(({ name }) => path.join(top, name));
}

export function makeCgroup(name: string): string[] {
  const folders = cgroupRoots().map(root => path.join(root, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  return folders;
}

/** With those below it, the deepest first. */
const treeOf = (folder: string): string[] => [
  ...readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .flatMap(entry => treeOf(path.join(folder, entry.name))),
  folder,
];

function killAll(folder: string): void {
  for (const pid of readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
    try {
      // Zero stands for a process that is outside of what we can see, and would be ourselves.
      if (Number(pid) > 0) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
}

function isRemoved(top: string): boolean {
  if (!existsSync(top)) return true;
  try {
    for (const folder of treeOf(top)) {
      killAll(folder);
      rmdirSync(folder);
    }
    return true;
  } catch {
    // Somebody is still on the way out.
    return false;
  }
}

/** Ends whoever is still in them, and removes them. */
export async function removeCgroups(name: string): Promise<void> {
  for (const root of allRoots())
    await until(`${root}/${name} is empty`, () => isRemoved(path.join(root, name)));
}
