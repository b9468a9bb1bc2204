import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseImage } from './base-image.ts';
import type { Identity } from './identities.ts';
import { IDENTITIES } from './identities.ts';
import { minimalImage } from './minimal-image.ts';
import { runFolder } from './run-folder.ts';
import { runTool } from './run-tool.ts';

const SCRIPTS = path.join(import.meta.dirname, 'scripts/light');
export const BOOT_SCRIPT = path.join(SCRIPTS, 'boot.sh');

/** How a light host is started and goes down, by path. */
const OWN_SCRIPTS = {
  'usr/lib/hostler-test/init': 'init.sh',
  'usr/lib/hostler-test/restart': 'restart.sh',
  'usr/bin/systemctl': 'systemctl.sh',
  'usr/sbin/reboot': 'shutdown.sh',
  'usr/sbin/poweroff': 'shutdown.sh',
  'usr/sbin/halt': 'shutdown.sh',
  'usr/sbin/shutdown': 'shutdown.sh',
};

async function makeLayer(folder: string, identity: Identity): Promise<void> {
  const { files, scripts, links, hidden } = IDENTITIES[identity];
  const place = (name: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    return path.join(folder, name);
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(place(name), text);
    if (text.startsWith('#!')) chmodSync(place(name), 0o755);
  }
  for (const [name, script] of Object.entries({ ...OWN_SCRIPTS, ...scripts })) {
    copyFileSync(path.join(SCRIPTS, script), place(name));
    chmodSync(place(name), 0o755);
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, place(name));
  // A device of this number hides what is below it in an overlay.
  for (const name of hidden) await runTool(['mknod', place(name), 'c', '0', '0']);
}

async function layersFor(identity: Identity): Promise<readonly string[]> {
  const { folder } = await runFolder();
  const layer = path.join(folder, 'layers', identity);
  const image = identity === 'minimal' ? await minimalImage() : await baseImage();
  await makeLayer(layer, identity);
  return [layer, image];
}

const made = new Map<Identity, Promise<readonly string[]>>();

/** The folders that hosts of an identity are made of, the uppermost first; the last is the image. */
export function layersOf(identity: Identity): Promise<readonly string[]> {
  const layers = made.get(identity) ?? layersFor(identity);
  made.set(identity, layers);
  return layers;
}
