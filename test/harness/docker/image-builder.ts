// A Docker daemon in the network of this machine, for building images: npm asks its registry from there. What must hold is the same as
// for nodes of a swarm: nothing of it outlives this process. No registry of images is asked.

import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from '../../../src/domain/command.ts';
import { baseImage } from '../hosts/base-image.ts';
import { removeCgroups } from '../hosts/cgroups.ts';
import { removeTree } from '../hosts/remove-tree.ts';
import { cgroupOf, runFolder } from '../hosts/run-folder.ts';
import type { ToolRan } from '../hosts/run-tool.ts';
import { containedWithUs, runTool, spawnTool, tryTool } from '../hosts/run-tool.ts';
import { until } from '../until.ts';

const START_MS = 60_000;
const CA = 'etc/hostler-tests-ca.pem';

/** The files of a folder behind those of another: an archive must not name a folder twice. */
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
    const [folder, cgroup] = [path.join(run.folder, 'builder'), path.join(cgroupOf(run.number), 'builder')];
    mkdirSync(folder);
    const daemon = spawnTool(
      containedWithUs([
        ...(['dockerd', '--data-root', `${folder}/data`, '--exec-root', `${folder}/exec`] as const),
        ...[
          '--pidfile',
          `${folder}/pid`,
          '-H',
          `unix://${folder}/socket`,
          '--bridge=none',
          '--iptables=false',
        ],
        ...['--cgroup-parent', `/${cgroup}`, '--exec-opt', 'native.cgroupdriver=cgroupfs'],
      ]),
    );
    const builder = new ImageBuilder(folder, cgroup, daemon);
    const isUp = async () => (await builder.run(['version'])).exitCode === 0;
    await until('the Docker daemon answers', isUp, START_MS);
    return builder;
  }

  run(args: readonly string[]): Promise<ToolRan> {
    const argv: Argv = ['docker', '-H', `unix://${this.#folder}/socket`, ...args];
    return tryTool(argv);
  }

  /** The same; it must succeed. Answers what it printed. */
  async must(...args: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(args);
    if (exitCode !== 0)
      throw new Error(
        `docker ${args.join(' ')} exited with ${exitCode}:\n${`${stdout}${stderr}`.slice(-4000)}`,
      );
    return stdout.trim();
  }

  /** Gives it a Debian with Node and npm under the name that an image of theirs has. */
  async makeNodeImage(name: string): Promise<void> {
    const local = path.join(this.#folder, 'more/usr/local');
    mkdirSync(path.join(local, 'bin'), { recursive: true });
    cpSync(realpathSync(process.execPath), path.join(local, 'bin/node'));
    const npm = path.dirname(
      path.dirname(realpathSync((await runTool(['sh', '-c', 'command -v npm'])).trim())),
    );
    await runTool(['mkdir', '-p', path.join(local, 'lib/node_modules')]);
    await runTool(['cp', '-a', npm, path.join(local, 'lib/node_modules/npm')]);
    await runTool(['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm')]);
    // Whom this machine believes where it asks for packages.
    const { NODE_EXTRA_CA_CERTS: authority } = process.env;
    const more = path.join(this.#folder, 'more');
    if (authority && existsSync(authority)) cpSync(realpathSync(authority), path.join(more, CA));
    const archive = path.join(this.#folder, 'node.tar');
    await runTool(['sh', '-c', ARCHIVE, 'sh', archive, await baseImage(), more]);
    const change = existsSync(path.join(more, CA)) ? ['--change', `ENV NODE_EXTRA_CA_CERTS=/${CA}`] : [];
    await this.must('import', ...change, archive, name);
  }

  async stop(): Promise<void> {
    const ended = new Promise(resolve => this.#daemon.once('close', resolve));
    // What contains it hears no other signal. All that is in there ends with it.
    this.#daemon.kill('SIGKILL');
    await ended;
    await removeCgroups(this.#cgroup);
    await removeTree(this.#folder);
  }
}
