// A Docker daemon in the network of this machine, for building images: builds reach the npm registry. It ends
// with this process. No image registry is used.

import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../programs/find-program.ts';
import type { ToolResult } from '../programs/run-tool.ts';
import { checkExitCode, inOwnNamespaces, removeTree, runTool, spawnTool, tryTool } from '../programs/run-tool.ts';
import { baseImage } from '../real-hosts/base-image.ts';
import { removeCgroups } from '../real-hosts/cgroups.ts';
import { cgroupName, runFolder } from '../real-hosts/run-folder.ts';
import { waitUntil } from '../wait-until.ts';

const START_MS = 60_000;
const CA = 'etc/hostler-tests-ca.pem';

/** Appends files without folders: an archive must not contain a folder twice. */
const ARCHIVE = `set -e
tar -cf "$1" -C "$2" .
cd "$3"
find . ! -type d | tar -rf "$1" -T -`;

export class ImageBuilder {
  readonly #folder: string;
  readonly #cgroup: string;
  readonly #daemon: ChildProcess;

  private constructor(folder: string, cgroup: string, daemon: ChildProcess) {
    this.#folder = folder;
    this.#cgroup = cgroup;
    this.#daemon = daemon;
  }

  static async start(): Promise<ImageBuilder> {
    const run = await runFolder();
    const [folder, cgroup] = [path.join(run.folder, 'builder'), path.join(cgroupName(run.number), 'builder')];
    mkdirSync(folder);
    const daemon = spawnTool(
      inOwnNamespaces([
        ...(['dockerd', '--data-root', `${folder}/data`, '--exec-root', `${folder}/exec`] as const),
        ...['--pidfile', `${folder}/pid`, '-H', `unix://${folder}/socket`, '--bridge=none', '--iptables=false'],
        ...['--cgroup-parent', `/${cgroup}`, '--exec-opt', 'native.cgroupdriver=cgroupfs'],
      ]),
    );
    const builder = new ImageBuilder(folder, cgroup, daemon);
    const isUp = async () => (await builder.run(['version'])).exitCode === 0;
    await waitUntil('the Docker daemon answers', isUp, START_MS);
    return builder;
  }

  run(args: readonly string[]): Promise<ToolResult> {
    return tryTool(['docker', '-H', `unix://${this.#folder}/socket`, ...args]);
  }

  /** Throws if the command fails. */
  async runChecked(...args: readonly string[]): Promise<string> {
    return checkExitCode(`docker ${args.join(' ')}`, await this.run(args)).trim();
  }

  /** Imports Debian with Node and npm under the name of an official image. */
  async makeNodeImage(name: string): Promise<void> {
    const local = path.join(this.#folder, 'more/usr/local');
    mkdirSync(path.join(local, 'bin'), { recursive: true });
    cpSync(realpathSync(process.execPath), path.join(local, 'bin/node'));
    const npm = path.dirname(path.dirname(realpathSync(findProgram('npm'))));
    await runTool(['mkdir', '-p', path.join(local, 'lib/node_modules')]);
    await runTool(['cp', '-a', npm, path.join(local, 'lib/node_modules/npm')]);
    await runTool(['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm')]);
    // Certificate authority of this machine's npm registry.
    const { NODE_EXTRA_CA_CERTS: caFile } = process.env;
    const extraFiles = path.join(this.#folder, 'more');
    if (caFile && existsSync(caFile)) cpSync(realpathSync(caFile), path.join(extraFiles, CA));
    const archive = path.join(this.#folder, 'node.tar');
    await runTool(['sh', '-c', ARCHIVE, 'sh', archive, await baseImage(), extraFiles]);
    const change = existsSync(path.join(extraFiles, CA)) ? ['--change', `ENV NODE_EXTRA_CA_CERTS=/${CA}`] : [];
    await this.runChecked('import', ...change, archive, name);
  }

  async stop(): Promise<void> {
    const ended = new Promise(resolve => this.#daemon.once('close', resolve));
    // The container ignores other signals. All processes in it end with it.
    this.#daemon.kill('SIGKILL');
    await ended;
    await removeCgroups(this.#cgroup);
    await removeTree(this.#folder);
  }
}
