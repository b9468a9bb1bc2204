// Tests the disk space part of the facts script in a minimal root with busybox.

import { expect, test } from 'vitest';
import { describeInMinimalRoot, inMinimalRoot } from '../../../test/harness/shells/minimal-root.ts';
import type { Argv } from '../../domain/command.ts';
import { createOsRegistry } from './index.ts';

const { facts } = createOsRegistry();

describeInMinimalRoot('disk space', () => {
  const PROC = {
    '/proc/sys/kernel/random/boot_id': '0f5ad1f2-2b8e-4a11-9d59-6b0ff4f0a9c3\n',
    '/proc/meminfo': 'MemTotal:        8148800 kB\n',
  };
  /** The script with shell functions instead of programs. */
  const factsWith = (functions: string): Argv => ['sh', '-c', `${functions}\n${facts.argv[2]}`];
  const TIMEOUT = 'timeout() { shift; "$@"; }';
  /** Records its arguments and reports 1000 KiB for each mount point. */
  const DF = `df() {
echo "df $*" >>/calls
shift 2
for point; do echo "/dev/of$point 1000 1 999 1% $point"; done
}`;
  const recordingScript = factsWith(`${TIMEOUT}\n${DF}`);
  const mounts = (...lines: readonly string[]) => ({
    '/proc/self/mounts': lines.map(line => `${line} rw 0 0\n`).join(''),
  });

  test('is read from df of busybox', () => {
    const files = { ...PROC, ...mounts('/dev/sda1 / ext4') };
    const links = { '/proc/mounts': 'self/mounts' };
    expect(inMinimalRoot({ files, links }, root => facts.parse(root.run(facts.argv)))?.spaceKib).toBeGreaterThan(1024);
  });

  test('is 0 if df times out, with the other facts present', () => {
    const files = { ...PROC, ...mounts('/dev/sda1 / ext4', 'nas:/export /mnt/nfs nfs4') };
    const timedOut = 'timeout() { echo "timeout $*" >>/calls; [ "$2" = true ] || return 124; }';
    inMinimalRoot({ files }, root => {
      const found = facts.parse(root.run(factsWith(timedOut)));
      expect(found).toMatchObject({ memoryKib: 8_148_800, spaceKib: 0 });
      expect(root.calls()).toEqual(['timeout 10 true', 'timeout 10 df -P -k /']);
    });
  });

  test('is read without timeout if that is missing or has another syntax', () => {
    const files = { ...PROC, ...mounts('/dev/sda1 / ext4') };
    const withoutTimeout = factsWith(`${DF}\ntimeout() { return 127; }`);
    expect(inMinimalRoot({ files }, root => facts.parse(root.run(withoutTimeout)))?.spaceKib).toBe(1000);
  });

  test.each(['POSIXLY_CORRECT', 'BLOCK_SIZE', 'DF_BLOCK_SIZE', 'BLOCKSIZE'])(
    'ignores the environment variable %s',
    name => {
      const files = { ...PROC, ...mounts('/dev/sda1 / ext4') };
      const recordingDf = `df() { echo "\${${name}-unset}" >>/calls; }\n${TIMEOUT}`;
      inMinimalRoot({ files }, root => {
        root.run(['env', `${name}=512`, ...factsWith(recordingDf)]);
        expect(root.calls()).toEqual(['unset']);
      });
    },
  );

  test('includes each local disk once and excludes other file systems', () => {
    const files = {
      ...PROC,
      ...mounts(
        'rootfs / rootfs',
        '/dev/sda1 /boot/efi vfat',
        '/dev/sda2 / btrfs',
        '/dev/sda2 /home btrfs',
        'proc /proc proc',
        'nas:/export /mnt/nfs nfs4',
        '//nas/share /mnt/cifs cifs',
        '/dev/loop0 /snap/core squashfs',
        '/dev/loop1 /mnt/image ext4',
        '/dev/rbd0 /mnt/rbd ext4',
        '/dev/sdc /var/lib/kubelet/pods/1/volumes/x ext4',
        '/dev/sdb1 /no/such/place xfs',
        '/dev/sdb1 /data xfs',
        '/dev/sdb1 /var/lib/bind xfs',
        '/dev/sdd1 /srv/my\\040data ext4',
        '/dev/sde1 /srv/back\\134slash ext4',
        'tank/a /tank/a zfs',
        'tank/b /tank/b zfs',
      ),
    };
    const folders = ['/boot/efi', '/home', '/mnt/nfs', '/mnt/cifs', '/snap/core', '/mnt/image', '/mnt/rbd', '/data'];
    const otherFolders = [
      '/var/lib/kubelet/pods/1/volumes/x',
      '/var/lib/bind',
      '/srv/my data',
      '/srv/back\\slash',
      '/tank/a',
      '/tank/b',
    ];
    inMinimalRoot({ files, folders: [...folders, ...otherFolders] }, root => {
      const result = root.run(recordingScript);
      expect(root.calls()).toEqual(['df -P -k / /boot/efi /data /srv/my data /srv/back\\slash /tank/a']);
      expect(facts.parse(result)?.spaceKib).toBe(6000);
    });
  });

  test('counts a ZFS root pool once', () => {
    const files = {
      ...PROC,
      ...mounts('rpool/ROOT/debian / zfs', 'rpool/home /home zfs', 'bpool/BOOT /boot zfs'),
    };
    inMinimalRoot({ files, folders: ['/home', '/boot'] }, root => {
      root.run(recordingScript);
      expect(root.calls()).toEqual(['df -P -k / /boot']);
    });
  });

  test('includes an overlay root and the disk below it', () => {
    const files = {
      ...PROC,
      ...mounts('composefs / overlay', '/dev/vda4 /sysroot xfs', '/dev/vda4 /var xfs'),
    };
    inMinimalRoot({ files, folders: ['/sysroot', '/var'] }, root => {
      root.run(recordingScript);
      expect(root.calls()).toEqual(['df -P -k / /sysroot']);
    });
  });
});
