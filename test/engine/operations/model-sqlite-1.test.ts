import { runSeeds } from './model/run-seeds.ts';

runSeeds('sqlite', 0);
