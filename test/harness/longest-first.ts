import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Those that take longest. What is started last is then over soon, and nobody waits for it alone. */
const LONGEST: readonly string[] = [
  'test/chaos/short.test.ts',
  'test/process/demo.test.ts',
  'test/process/heap.test.ts',
  'test/hosts/unhealthy-members.test.ts',
  'test/web/blocked-operations.test.ts',
  'test/web/people.test.ts',
  'test/process/tls.test.ts',
  'test/process/durability.test.ts',
  'test/process/lifecycle.test.ts',
  'test/hosts/life.test.ts',
  'src/drivers/transport/ssh/ssh-transport.test.ts',
  'test/engine/operations/mutations.test.ts',
  'test/engine/several-servers.test.ts',
  'test/engine/frozen-owner.test.ts',
  'test/engine/operations/model-postgres.test.ts',
  'test/engine/killed-at-every-commit.test.ts',
  'test/engine/operations/killed-at-every-commit.test.ts',
  'test/engine/operations/frozen-owner.test.ts',
  'test/engine/operations/model-sqlite-1.test.ts',
  'test/engine/operations/model-sqlite-2.test.ts',
  'test/engine/operations/model-sqlite-3.test.ts',
  'test/engine/operations/model-sqlite-4.test.ts',
  'test/api/operation-life.test.ts',
  'test/api/slow-clients.test.ts',
  'test/api/arbitrary-requests.test.ts',
  'src/app/rotate-keys.test.ts',
  'test/engine/membership.test.ts',
  'test/api/roles.test.ts',
  'src/procedures/reboot/send-reboot.test.ts',
  'test/engine/watching.test.ts',
  'test/engine/life-of-a-host.test.ts',
];

/** The runner goes by what files took before. Where they never ran it goes by their size, which says little: the models are three lines. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.indexOf(path.relative(this.ctx.config.root, moduleId));
      return found < 0 ? LONGEST.length : found;
    };
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap(project =>
      sorted.filter(file => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}
