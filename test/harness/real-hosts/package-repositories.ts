// Repositories with an example package in two versions, as deb and RPM, built once per machine.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../programs/run-tool.ts';
import { buildCached } from './build-cache.ts';

const EXAMPLE_VERSIONS = ['1.0', '2.0'] as const;
export type ExampleVersion = (typeof EXAMPLE_VERSIONS)[number];

/** The install script of the package waits while this file exists. */
export const INSTALL_BLOCK_FILE = '/etc/toyd-hold';

const WAIT = `while [ -e ${INSTALL_BLOCK_FILE} ]; do sleep 0.1; done`;

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

async function buildDeb(folder: string, version: ExampleVersion): Promise<void> {
  const [tree, file] = [path.join(folder, 'tree'), `toyd_${version}_all.deb`];
  mkdirSync(path.join(tree, 'DEBIAN'), { recursive: true });
  mkdirSync(path.join(tree, 'usr/share/toyd'), { recursive: true });
  const control = `Package: toyd\nVersion: ${version}\nArchitecture: all\nMaintainer: tests <tests@localhost>\nDescription: a toy\n`;
  writeFileSync(path.join(tree, 'DEBIAN/control'), control);
  const after = version === '1.0' ? '' : 'touch /run/reboot-required\n';
  writeFileSync(path.join(tree, 'DEBIAN/postinst'), `#!/bin/sh\n${WAIT}\n${after}`, { mode: 0o755 });
  writeFileSync(path.join(tree, 'usr/share/toyd/version'), `${version}\n`);
  await runTool(['dpkg-deb', '--root-owner-group', '-Zgzip', '-b', tree, path.join(folder, file)]);
  rmSync(tree, { recursive: true });
  const { size } = statSync(path.join(folder, file));
  const packages = `${control}Filename: ./${file}\nSize: ${size}\nSHA256: ${sha256(path.join(folder, file))}\n`;
  writeFileSync(path.join(folder, 'Packages'), packages);
  const listed = ` ${sha256(path.join(folder, 'Packages'))} ${Buffer.byteLength(packages)} Packages\n`;
  const date = new Date().toUTCString().replace('GMT', '+0000');
  writeFileSync(path.join(folder, 'Release'), `Origin: tests\nSuite: stable\nDate: ${date}\nSHA256:\n${listed}`);
}

// dnf needs packages that provide a release and a shell. `kernel` requires a reboot.
const spec = (version: ExampleVersion) => `Name: toyd
Version: ${version}
Release: 1
Summary: a toy
License: Apache-2.0
BuildArch: noarch
%description
A toy.
%package -n kernel
Summary: no kernel
%description -n kernel
No kernel.
%package -n fedora-release
Summary: the release
Provides: system-release system-release(releasever) = 40 /bin/sh
%description -n fedora-release
The release.
%post
${WAIT}
%install
mkdir -p %{buildroot}/usr/share/toyd
echo ${version} >%{buildroot}/usr/share/toyd/version
%files
/usr/share/toyd/version
%files -n kernel
%files -n fedora-release
`;

async function buildRpms(folder: string, version: ExampleVersion): Promise<void> {
  const top = path.join(folder, 'build');
  mkdirSync(top);
  writeFileSync(path.join(top, 'toyd.spec'), spec(version));
  const defines = [`_topdir ${top}`, `_rpmdir ${folder}`].flatMap(define => ['--define', define]);
  await runTool(['rpmbuild', '-bb', ...defines, path.join(top, 'toyd.spec')]);
  rmSync(top, { recursive: true });
  await runTool(['createrepo_c', '--quiet', folder]);
}

/** Folder with `deb/VERSION` and `rpm/VERSION`. */
export const packageRepositories = (): Promise<string> =>
  buildCached({
    name: 'packages',
    inputs: [readFileSync(import.meta.filename, 'utf8')],
    build: async folder => {
      for (const version of EXAMPLE_VERSIONS) {
        const [deb, rpm] = [path.join(folder, 'deb', version), path.join(folder, 'rpm', version)];
        for (const define of [deb, rpm]) mkdirSync(define, { recursive: true });
        await buildDeb(deb, version);
        await buildRpms(rpm, version);
      }
    },
  });
