import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The slowest test files. Starting them first avoids a long tail with one running file. */
const SLOWEST_FILES: readonly string[] = [
  'test/chaos/short.test.ts',
  'test/process/demo.test.ts',
  'test/process/heap.test.ts',
  'test/hosts/unhealthy-members.test.ts',
  'test/web/blocked-operations.test.ts',
  'test/web/accounts-and-sessions.test.ts',
  'test/process/tls.test.ts',
  'test/process/durability.test.ts',
  'test/process/lifecycle.test.ts',
  'test/hosts/host-lifecycle.test.ts',
  'src/drivers/transport/ssh/ssh-transport.integration.test.ts',
  'test/engine/operations/mutations.test.ts',
  'test/engine/multiple-servers.test.ts',
  'test/engine/frozen-owner.test.ts',
  'test/engine/operations/model-postgres.test.ts',
  'test/engine/killed-at-every-commit.test.ts',
  'test/engine/operations/killed-at-every-commit.test.ts',
  'test/engine/operations/frozen-owner.test.ts',
  'test/engine/operations/model-sqlite-1.test.ts',
  'test/engine/operations/model-sqlite-2.test.ts',
  'test/engine/operations/model-sqlite-3.test.ts',
  'test/engine/operations/model-sqlite-4.test.ts',
  'test/api/operation-lifecycle.test.ts',
  'test/api/slow-clients.test.ts',
  'test/api/arbitrary-requests.test.ts',
  'src/app/rotate-keys.integration.test.ts',
  'test/engine/membership.test.ts',
  'test/api/roles.test.ts',
  'src/procedures/reboot/reboot-scripts-send.integration.test.ts',
  'test/engine/health-checks.test.ts',
  'test/engine/host-lifecycle.test.ts',
];

/**
 * vitest sorts by previous durations, and without them by file size, which says little: the model tests are
 * three lines.
 */
export class SlowestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOWEST_FILES.indexOf(path.relative(this.ctx.config.root, moduleId));
      return index < 0 ? SLOWEST_FILES.length : index;
    };
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap(project =>
      sorted.filter(file => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}
