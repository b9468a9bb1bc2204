/** Whose task it is. Tasks of one group run in the order in which they came. */
export interface QueueGroup {
  readonly name: string;
  /** Half of the places are for privileged groups only. */
  readonly isPrivileged: boolean;
}

interface QueuedTask {
  readonly start: () => void;
  readonly reject: () => void;
}

/** Tasks that wait, by group. The group at the front is next, and then goes to the back. */
class GroupQueue {
  readonly #groups = new Map<string, QueuedTask[]>();
  size = 0;

  lengthOf(group: string): number {
    return this.#groups.get(group)?.length ?? 0;
  }

  add(group: string, task: QueuedTask): void {
    const tasks = this.#groups.get(group);
    if (tasks) tasks.push(task);
    else this.#groups.set(group, [task]);
    this.size += 1;
  }

  next(): QueuedTask | undefined {
    const [front] = this.#groups;
    if (front === undefined) return undefined;
    const [group, tasks] = front;
    const task = tasks.shift();
    this.#groups.delete(group);
    if (tasks.length > 0) this.#groups.set(group, tasks);
    this.size -= 1;
    return task;
  }

  /** Rejects the newest task of the group with most tasks, if that has more than `length`. Returns whether there was one. */
  evictNewest(length: number): boolean {
    const [longest, tasks] = [...this.#groups].reduce<[string, QueuedTask[]]>(
      (largest, each) => (each[1].length > largest[1].length ? each : largest),
      ['', []],
    );
    if (tasks.length <= length) return false;
    tasks.pop()?.reject();
    if (tasks.length === 0) this.#groups.delete(longest);
    this.size -= 1;
    return true;
  }
}

/**
 * Runs a fixed number of tasks at the same time. Groups take turns, so that a group with many tasks delays another one by one task for each place.
 * Privileged groups may use every place, the others half of them. A bounded number of tasks waits; if there are more, those of the group with
 * most tasks are rejected first.
 */
export class FairQueue {
  readonly #slots: number;
  readonly #maxWaiting: number;
  readonly #privileged = new GroupQueue();
  readonly #others = new GroupQueue();
  #running = 0;
  #othersRunning = 0;

  /** `maxWaiting`: of privileged groups together, and of the others together. */
  constructor(slots: number, maxWaiting: number) {
    this.#slots = slots;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the task in its turn. Returns `undefined` without running it when too many tasks wait, of all groups or of this one. */
  async tryRun<T>(
    { name, isPrivileged }: QueueGroup,
    task: () => Promise<T>,
    maxWaitingOfGroup = this.#maxWaiting,
  ): Promise<T | undefined> {
    const queue = isPrivileged ? this.#privileged : this.#others;
    if (!this.#tryStart(isPrivileged)) {
      const length = queue.lengthOf(name);
      if (length >= maxWaitingOfGroup) return undefined;
      if (queue.size >= this.#maxWaiting && !queue.evictNewest(length + 1)) return undefined;
      const isStarted = await new Promise<boolean>(resolve =>
        queue.add(name, { start: () => resolve(true), reject: () => resolve(false) }),
      );
      if (!isStarted) return undefined;
    }
    try {
      return await task();
    } finally {
      this.#running -= 1;
      if (!isPrivileged) this.#othersRunning -= 1;
      this.#startNext();
    }
  }

  /** Takes a place if one is free for such a task. */
  #tryStart(isPrivileged: boolean): boolean {
    if (this.#running >= this.#slots) return false;
    if (!isPrivileged && this.#othersRunning >= Math.max(1, Math.floor(this.#slots / 2))) return false;
    this.#running += 1;
    if (!isPrivileged) this.#othersRunning += 1;
    return true;
  }

  /** Others first: they cannot take more than their half, and privileged groups could otherwise use every place for good. */
  #startNext(): void {
    if (this.#others.size > 0 && this.#tryStart(false)) this.#others.next()?.start();
    else if (this.#privileged.size > 0 && this.#tryStart(true)) this.#privileged.next()?.start();
  }
}
