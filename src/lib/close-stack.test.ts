import { expect, test } from 'vitest';
import { CloseStack } from './close-stack.ts';

function createStack() {
  const closed: string[] = [];
  const failures: unknown[] = [];
  const stack = new CloseStack(error => failures.push(error));
  const part = (name: string) =>
    stack.add(async () => {
      closed.push(`${name} begins`);
      await Promise.resolve();
      closed.push(`${name} ends`);
    });
  return { stack, part, closed, failures };
}

test('closes the newest part first, one after the other', async () => {
  const { stack, part, closed } = createStack();
  part('store');
  part('engine');
  await stack.close();
  expect(closed).toEqual(['engine begins', 'engine ends', 'store begins', 'store ends']);
});

test('closes all parts at the same time', async () => {
  const { stack, part, closed } = createStack();
  part('server');
  part('engine');
  await stack.closeTogether();
  expect(closed).toEqual(['server begins', 'engine begins', 'server ends', 'engine ends']);
});

test.each(['close', 'closeTogether'] as const)('%s closes each part once', async method => {
  const { stack, part, closed } = createStack();
  part('store');
  await Promise.all([stack[method](), stack[method]()]);
  await stack[method]();
  expect(closed).toHaveLength(2);
});

test.each(['close', 'closeTogether'] as const)('%s closes the others when parts fail', async method => {
  const { stack, part, closed, failures } = createStack();
  part('store');
  stack.add(() => {
    throw new Error('thrown');
  });
  stack.add(() => Promise.reject(new Error('rejected')));
  await stack[method]();
  expect(closed).toEqual(['store begins', 'store ends']);
  expect(failures.map(String).toSorted()).toEqual(['Error: rejected', 'Error: thrown']);
});
