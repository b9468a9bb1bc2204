import type { DriverMemory } from '../../domain/driver-memory.ts';

/** Others may remember something at the same moment; then it is theirs that is kept. */
export async function remember(memory: DriverMemory, key: string, text: string): Promise<void> {
  const before = await memory.get(key);
  if (before !== text) await memory.compareAndSet(key, before, text);
}
