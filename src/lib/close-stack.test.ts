import { expect, test } from 'vitest';
import { CloseStack } from './close-stack.ts';

function createStack() {
  const closed: string[] = [];
  const failures: unknown[] = [];
  const stack = new CloseStack(error => failures.push(error));
  const addResource = (name: string) =>
    stack.add(async () => {
      closed.push(`${name} begins`);
      await Promise.resolve();
      closed.push(`${name} ends`);
    });
  return { stack, addResource, closed, failures };
}

test('CloseStack closes in sequence, the newest resource first', async () => {
  const { stack, addResource, closed } = createStack();
  addResource('store');
  addResource('engine');
  await stack.close();
  expect(closed).toEqual(['engine begins', 'engine ends', 'store begins', 'store ends']);
});

test('CloseStack.closeTogether closes all resources at the same time', async () => {
  const { stack, addResource, closed } = createStack();
  addResource('server');
  addResource('engine');
  await stack.closeTogether();
  expect(closed).toEqual(['server begins', 'engine begins', 'server ends', 'engine ends']);
});

test.each(['close', 'closeTogether'] as const)('CloseStack.%s closes each resource once', async method => {
  const { stack, addResource, closed } = createStack();
  addResource('store');
  await Promise.all([stack[method](), stack[method]()]);
  await stack[method]();
  expect(closed).toHaveLength(2);
});

test.each(['close', 'closeTogether'] as const)(
  'CloseStack.%s closes the other resources when some fail',
  async method => {
    const { stack, addResource, closed, failures } = createStack();
    addResource('store');
    stack.add(() => {
      throw new Error('thrown');
    });
    stack.add(() => Promise.reject(new Error('rejected')));
    await stack[method]();
    expect(closed).toEqual(['store begins', 'store ends']);
    expect(failures.map(String).toSorted()).toEqual(['Error: rejected', 'Error: thrown']);
  },
);
