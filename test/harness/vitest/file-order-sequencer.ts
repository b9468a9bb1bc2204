import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Files that mostly wait. They start first, so that unit tests, browser tests and isolated files use the CPU meanwhile. */
const LONGEST_WAITS: readonly string[] = [
  'test/chaos/chaos.test.ts',
  'test/hosts/unhealthy-members.test.ts',
  'test/process/demo.test.ts',
];

/**
 * The slowest other files, the longest first. Most of them wait for seconds, so that the CPU would be idle if they
 * ran at the same time.
 */
const SLOWEST_FILES: readonly string[] = [
  'test/process/first-boot.test.ts',
  'test/hosts/host-lifecycle.test.ts',
  'test/api/operation-lifecycle.test.ts',
  'test/api/slow-clients.test.ts',
  'test/process/tls.test.ts',
  'test/process/shutdown.test.ts',
  'test/hosts/failing-restart.test.ts',
  'src/drivers/transport/ssh/ssh-transport.integration.test.ts',
  'test/process/durability.test.ts',
  'src/http/connections/node-server.integration.test.ts',
  'test/hosts/enrolment.test.ts',
  'src/procedures/reboot/reboot-scripts-send.integration.test.ts',
  'test/hosts/rolling-restart.test.ts',
  'src/drivers/transport/openssh/openssh-transport.integration.test.ts',
  'test/hosts/secrets.test.ts',
  'test/hosts/kubernetes-cluster.test.ts',
  'test/hosts/transports.test.ts',
  'src/drivers/transport/ssh/ssh-transport-hostile-host.integration.test.ts',
  'test/engine/multiple-servers.test.ts',
  'test/hosts/unwritable-run.test.ts',
  'src/procedures/jobs/start-script.integration.test.ts',
  'src/procedures/jobs/poll-script.integration.test.ts',
];

const UNIT_PROJECTS = ['unit', 'web'];

/** Browser tests, and small files that calculate for ten seconds or more. They start after the longest waits. */
const CPU_INTENSIVE =
  /^test\/(web\/|engine\/operations\/(model-|frozen-owner|killed-at-every-commit|partitions)|process\/(start-cleanup|rotation))/;

/** How far into the other files the slow files are spread. The last ones are short. */
const SPREAD = 0.75;

/** Starts a slow file after each group of other files. */
function spread<Item>(slow: readonly Item[], others: readonly Item[]): readonly Item[] {
  const group = Math.ceil((others.length * SPREAD) / Math.max(slow.length, 1));
  const groups = slow.map((item, index) => [item, ...others.slice(index * group, (index + 1) * group)]);
  return [...groups.flat(), ...others.slice(slow.length * group)];
}

const sortByProject = (files: readonly TestSpecification[]): readonly TestSpecification[] =>
  files.toSorted((a, b) => a.project.name.localeCompare(b.project.name));

/** Among equal files, vitest sorts by the previous duration, or by file size. */
export class FileOrderSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = [...LONGEST_WAITS, ...SLOWEST_FILES].filter(
      file => !existsSync(path.join(this.ctx.config.root, file)),
    );
    if (missing.length > 0) throw new Error(`${import.meta.filename} lists missing files: ${missing.join(', ')}`);
    const sorted = await super.sort(files);
    // A group runs after the previous one has ended.
    const groups = Map.groupBy(sorted, ({ project }) => project.config.sequence.groupOrder);
    return [...groups.values()].flatMap(group => this.#sortGroup(group));
  }

  #sortGroup(files: readonly TestSpecification[]): readonly TestSpecification[] {
    const pathOf = ({ moduleId }: TestSpecification) => path.relative(this.ctx.config.root, moduleId);
    const select = (paths: readonly string[]) => paths.flatMap(name => files.filter(file => pathOf(file) === name));
    const [longest, slow] = [select(LONGEST_WAITS), select(SLOWEST_FILES)];
    const remaining = files.filter(file => !longest.includes(file) && !slow.includes(file));
    const {
      unit = [],
      cpu = [],
      other = [],
    } = Object.groupBy(remaining, file => {
      if (UNIT_PROJECTS.includes(file.project.name)) return 'unit';
      return file.project.config.isolate || CPU_INTENSIVE.test(pathOf(file)) ? 'cpu' : 'other';
    });
    // Each project has its own workers, so its files run in sequence.
    return [...longest, ...sortByProject(unit), ...cpu, ...spread(slow, other)];
  }
}
