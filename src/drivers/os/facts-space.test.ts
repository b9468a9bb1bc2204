// The part of the script that asks for the space of disks, as it runs on hosts of a few files and busybox.

import { expect, test } from 'vitest';
import { describeInTinyRoot, inTinyRoot } from '../../../test/harness/shells/tiny-root.ts';
import type { Argv } from '../../domain/command.ts';
import { createOsRegistry } from './index.ts';

const { facts } = createOsRegistry();

describeInTinyRoot('the space of a host', () => {
  const PROC = {
    '/proc/sys/kernel/random/boot_id': '0f5ad1f2-2b8e-4a11-9d59-6b0ff4f0a9c3\n',
    '/proc/meminfo': 'MemTotal:        8148800 kB\n',
  };
  /** The script with functions in place of programs. */
  const factsWith = (functions: string): Argv => ['sh', '-c', `${functions}\n${facts.argv[2]}`];
  const TIMEOUT = 'timeout() { shift; "$@"; }';
  /** Notes what it was asked for, and finds a thousand KiB everywhere. */
  const DF = `df() {
echo "df $*" >>/calls
shift 2
for point; do echo "/dev/of$point 1000 1 999 1% $point"; done
}`;
  const counted = factsWith(`${TIMEOUT}\n${DF}`);
  const mounts = (...lines: readonly string[]) => ({
    '/proc/self/mounts': lines.map(line => `${line} rw 0 0\n`).join(''),
  });

  test('busybox has a df that can be read', () => {
    const files = { ...PROC, ...mounts('/dev/sda1 / ext4') };
    const links = { '/proc/mounts': 'self/mounts' };
    expect(inTinyRoot({ files, links }, root => facts.parse(root.run(facts.argv)))?.spaceKib).toBeGreaterThan(
      1024,
    );
  });

  test('a df that hangs is given up, and the other facts are there', () => {
    const files = { ...PROC, ...mounts('/dev/sda1 / ext4', 'nas:/export /mnt/nfs nfs4') };
    const hangs = 'timeout() { echo "timeout $*" >>/calls; [ "$2" = true ] || return 124; }';
    inTinyRoot({ files }, root => {
      const found = facts.parse(root.run(factsWith(hangs)));
      expect(found).toMatchObject({ memoryKib: 8_148_800, spaceKib: 0 });
      expect(root.calls()).toEqual(['timeout 10 true', 'timeout 10 df -P -k /']);
    });
  });

  test('a timeout that is missing, or of another syntax, is done without', () => {
    const files = { ...PROC, ...mounts('/dev/sda1 / ext4') };
    const old = factsWith(`${DF}\ntimeout() { return 127; }`);
    expect(inTinyRoot({ files }, root => facts.parse(root.run(old)))?.spaceKib).toBe(1000);
  });

  test.each(['POSIXLY_CORRECT', 'BLOCK_SIZE', 'DF_BLOCK_SIZE', 'BLOCKSIZE'])(
    'what is set as %s does not change the unit of df',
    name => {
      const files = { ...PROC, ...mounts('/dev/sda1 / ext4') };
      const recordingDf = `df() { echo "\${${name}-unset}" >>/calls; }\n${TIMEOUT}`;
      inTinyRoot({ files }, root => {
        root.run(['env', `${name}=512`, ...factsWith(recordingDf)]);
        expect(root.calls()).toEqual(['unset']);
      });
    },
  );

  test('each disk is asked once, and nothing that is no disk of the host', () => {
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
    const folders = [
      '/boot/efi',
      '/home',
      '/mnt/nfs',
      '/mnt/cifs',
      '/snap/core',
      '/mnt/image',
      '/mnt/rbd',
      '/data',
    ];
    const more = [
      '/var/lib/kubelet/pods/1/volumes/x',
      '/var/lib/bind',
      '/srv/my data',
      '/srv/back\\slash',
      '/tank/a',
      '/tank/b',
    ];
    inTinyRoot({ files, folders: [...folders, ...more] }, root => {
      const result = root.run(counted);
      expect(root.calls()).toEqual(['df -P -k / /boot/efi /data /srv/my data /srv/back\\slash /tank/a']);
      expect(facts.parse(result)?.spaceKib).toBe(6000);
    });
  });

  test('a root of ZFS is not counted again', () => {
    const files = {
      ...PROC,
      ...mounts('rpool/ROOT/debian / zfs', 'rpool/home /home zfs', 'bpool/BOOT /boot zfs'),
    };
    inTinyRoot({ files, folders: ['/home', '/boot'] }, root => {
      root.run(counted);
      expect(root.calls()).toEqual(['df -P -k / /boot']);
    });
  });

  test('a root that is an overlay counts, beside the disk below it', () => {
    const files = {
      ...PROC,
      ...mounts('composefs / overlay', '/dev/vda4 /sysroot xfs', '/dev/vda4 /var xfs'),
    };
    inTinyRoot({ files, folders: ['/sysroot', '/var'] }, root => {
      root.run(counted);
      expect(root.calls()).toEqual(['df -P -k / /sysroot']);
    });
  });
});
