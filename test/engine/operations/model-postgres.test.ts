import { describePostgres } from '../../harness/stores/stores.ts';
import { runSeeds } from './model/run-seeds.ts';

describePostgres('random histories on PostgreSQL', () => {
  runSeeds({ kind: 'postgres', histories: 2, historiesInLongRun: 80, part: 0, parts: 1 });
});
