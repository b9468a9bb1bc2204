import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../wait-until.ts';

/** Hierarchies of systemd: its own and cgroup v2 on a hybrid machine, else the only one. */
export function cgroupRoots(): string[] {
  const roots = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'].filter(root => existsSync(root));
  return roots.length > 0 ? roots : ['/sys/fs/cgroup'];
}

/** All hierarchies: Docker uses one for each controller. */
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

/** Deepest first. */
const listTree = (folder: string): string[] => [
  ...readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .flatMap(entry => listTree(path.join(folder, entry.name))),
  folder,
];

function killAll(folder: string): void {
  for (const pid of readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
    try {
      // 0 is a process outside our PID namespace; kill(0) would signal our own process group.
      if (Number(pid) > 0) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process has ended.
    }
}

function tryRemove(top: string): boolean {
  if (!existsSync(top)) return true;
  try {
    for (const folder of listTree(top)) {
      killAll(folder);
      rmdirSync(folder);
    }
    return true;
  } catch {
    // A process is still ending.
    return false;
  }
}

/** Kills all processes in the cgroups and removes them. */
export async function removeCgroups(name: string): Promise<void> {
  for (const root of allRoots()) await waitUntil(`${root}/${name} is empty`, () => tryRemove(path.join(root, name)));
}
