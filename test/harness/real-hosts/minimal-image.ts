import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../programs/run-tool.ts';
import { baseImage } from './base-image.ts';
import { buildCached } from './build-cache.ts';

const FOLDERS = ['dev/pts', 'dev/shm', 'etc/ssh', 'mnt', 'proc', 'root', 'run', 'sys', 'tmp', 'var/log', 'home'];
const USR = ['bin', 'sbin', 'lib'];
/** Major and minor device numbers. */
const DEVICES = { null: '1 3', zero: '1 5', full: '1 7', random: '1 8', urandom: '1 9', tty: '5 0' };

async function copyProgram(base: string, folder: string, program: string): Promise<void> {
  const libraries = await runTool(['chroot', base, 'ldd', program]);
  for (const file of [program, ...[...libraries.matchAll(/(\/\S+) \(0x/g)].map(([, name = '']) => name)]) {
    const to = path.join(folder, file);
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(path.join(base, file), to);
  }
}

/** A system with only busybox and sshd. */
export const minimalImage = async (): Promise<string> => {
  const base = await baseImage();
  return buildCached({
    name: 'minimal',
    inputs: [path.basename(base), readFileSync(import.meta.filename, 'utf8')],
    build: async folder => {
      for (const name of [...FOLDERS, ...USR.map(folderName => `usr/${folderName}`)])
        mkdirSync(path.join(folder, name), { recursive: true });
      for (const name of USR) symlinkSync(`usr/${name}`, path.join(folder, name));
      for (const [name, numbers] of Object.entries(DEVICES)) {
        const [major = '', minor = ''] = numbers.split(' ');
        await runTool(['mknod', '-m', '666', path.join(folder, 'dev', name), 'c', major, minor]);
      }
      symlinkSync('pts/ptmx', path.join(folder, 'dev/ptmx'));
      await copyProgram(base, folder, '/usr/sbin/sshd');
      copyFileSync(path.join(base, 'usr/bin/busybox'), path.join(folder, 'usr/bin/busybox'));
      await runTool(['chroot', folder, '/usr/bin/busybox', '--install', '-s']);
      const accounts = ['root:x:0:0:root:/root:/bin/sh', 'sshd:x:101:65534::/run/sshd:/bin/false'];
      writeFileSync(path.join(folder, 'etc/passwd'), `${accounts.join('\n')}\n`);
      writeFileSync(path.join(folder, 'etc/shadow'), 'root:*:1::::::\nsshd:*:1::::::\n', { mode: 0o640 });
      writeFileSync(path.join(folder, 'etc/group'), 'root:x:0:\ntty:x:5:\nnogroup:x:65534:\n');
    },
  });
};
