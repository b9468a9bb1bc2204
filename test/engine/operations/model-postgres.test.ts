import { describePostgres } from '../../harness/stores/stores.ts';
import { runSeeds } from './model/run-seeds.ts';

describePostgres('random histories on PostgreSQL', () => {
  runSeeds('postgres', 0);
});
