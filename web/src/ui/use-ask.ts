import { useMutation } from '@tanstack/react-query';

/** Something that is asked of the service by a press of a button: whether it is under way, and why it was refused. */
export function useAsk<Input = void>(ask: (input: Input) => Promise<unknown>, onDone?: () => void) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ask,
    onSuccess: () => onDone?.(),
  });
  return { run: mutate, isBusy: isPending, problem: error ?? undefined, forget: reset };
}
