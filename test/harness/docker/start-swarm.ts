import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Authority } from '../certificates/certificate-authority.ts';
import { runAuthority } from '../certificates/run-authority.ts';
import { runBridge } from '../hosts/bridge.ts';
import { cgroupOf, runFolder } from '../hosts/run-folder.ts';
import { runTool } from '../hosts/run-tool.ts';
import type { TlsContents } from '../http/json-request.ts';
import { tlsContentsOf } from '../http/json-request.ts';
import { DockerNode } from './docker-node.ts';
import { Swarm } from './swarm.ts';

export interface SwarmOptions {
  /** How many daemons there are beside the manager. */
  readonly others?: 1 | 2;
}

/** Systemd hosts have the addresses below. */
const FIRST_ADDRESS = 200;
const IMAGE = 'sleeper:1';

let count = 0;

async function makeNode({ caPath, issue }: Authority, tls: TlsContents): Promise<DockerNode> {
  const [run, bridge] = [await runFolder(), await runBridge()];
  const index = count++;
  // Also of its network card on this machine, which has at most fifteen characters.
  const name = `d${run.number}-${index}`;
  const address = bridge.addressOf(FIRST_ADDRESS + index);
  const server = await issue(`/CN=${name}`, [address]);
  const place = { name, folder: path.join(run.folder, name), address, bridge: bridge.name };
  const settings = ['--tlscacert', caPath, '--tlscert', server.cert, '--tlskey', server.key];
  return new DockerNode({ ...place, cgroup: path.join(cgroupOf(run.number), name), settings }, tls);
}

/** An image of one program, with the same ID on all nodes, which is the answer. */
async function giveImage(
  folder: string,
  [first, ...rest]: readonly [DockerNode, ...DockerNode[]],
): Promise<string> {
  mkdirSync(path.join(folder, 'root'), { recursive: true });
  const busybox = (await runTool(['sh', '-c', 'command -v busybox'])).trim();
  copyFileSync(busybox, path.join(folder, 'root/busybox'));
  const [root, image] = [path.join(folder, 'root.tar'), path.join(folder, 'image.tar')];
  await runTool(['tar', '-C', path.join(folder, 'root'), '-cf', root, 'busybox']);
  const id = await first.must(['docker', 'import', root, IMAGE]);
  await first.must(['docker', 'save', '-o', image, IMAGE]);
  for (const node of rest) await node.must(['docker', 'load', '-q', '-i', image]);
  return id.trim();
}

async function initialise(manager: DockerNode): Promise<void> {
  const { address } = manager;
  const { status, body } = await manager.request('/swarm/init', {
    method: 'POST',
    body: { ListenAddr: `${address}:2377`, AdvertiseAddr: address },
  });
  if (status !== 200) throw new Error(`no swarm could be made: ${status} ${JSON.stringify(body)}`);
}

/** A swarm of its manager alone, and daemons that can join it. All have the image of `createService`. */
export async function startSwarm({ others = 1 }: SwarmOptions = {}): Promise<Swarm> {
  const [{ folder }, authority] = [await runFolder(), await runAuthority()];
  const tls = { caPath: authority.caPath, ...(await authority.issue('/CN=docker-client')) };
  const files = tlsContentsOf(tls);
  const manager = await makeNode(authority, files);
  const rest: DockerNode[] = [];
  for (let index = 0; index < others; index++) rest.push(await makeNode(authority, files));
  await Promise.all([manager, ...rest].map(node => node.powerOn()));
  const imageId = await giveImage(path.join(folder, `image-of-${manager.name}`), [manager, ...rest]);
  await initialise(manager);
  return new Swarm(manager, rest, tls, imageId);
}
