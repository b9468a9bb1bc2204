import { machineArchive } from '../../test/harness/hosts/apt-sources.ts';
import { containedWithUs, runTool } from '../../test/harness/hosts/run-tool.ts';
import { PROJECT } from '../../test/harness/programs/process.ts';
import { copyReach, reachOfApt, reachVariables } from './machine-reach.ts';

/** The oldest that is good enough, and the npm that comes with it. */
const NODE = [`node-linux-${process.arch}@20.20.2`, 'npm@10.8.2'];
const PACKAGES = ['git', 'ca-certificates'];

/** The root file system of a machine with Node, npm and Git on it, and a clone of what is committed here. Nothing else. */
export async function makeFreshImage(folder: string): Promise<void> {
  const { codename, lines } = machineArchive();
  const env = reachVariables();
  const options = [
    ...['--mode=root', '--variant=minbase', '--format=directory', `--include=${PACKAGES.join(',')}`],
    ...(await reachOfApt()).map(line => `--aptopt=${line}`),
  ];
  await runTool(containedWithUs(['mmdebstrap', ...options, codename, folder, '-']), {
    input: `${lines.join('\n')}\n`,
    env,
  });
  await runTool(['npm', 'install', '--global', `--prefix=${folder}/usr/local`, '--ignore-scripts', ...NODE], {
    env,
  });
  await runTool(['git', 'clone', '--quiet', `file://${PROJECT}`, `${folder}/root/hostler`]);
  copyReach(folder);
}
