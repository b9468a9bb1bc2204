import { useMutation } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import { useEffect, useRef } from 'react';
import styles from './form.module.css';

interface FormProps {
  readonly onSubmit: (formData: FormData) => void;
  readonly isLoading: boolean;
  /** Error of the last submit. */
  readonly error: unknown;
  readonly children: ReactNode;
}

/** Focuses the first invalid field when `error` changes. */
export function useInvalidFocus(error: unknown): RefObject<HTMLFormElement | null> {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return element;
}

/** Ignores a submit while one is active. */
export function Form({ onSubmit, isLoading, error, children }: FormProps) {
  const element = useInvalidFocus(error);
  return (
    <form
      ref={element}
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        if (!isLoading) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}

export function useAction<Result, Input = void>(
  action: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const isRunning = useRef(false);
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: action,
    onSuccess: result => onDone?.(result),
    onSettled: () => {
      isRunning.current = false;
    },
  });
  /** Ignores a second click before the first render. */
  const run = (input: Input) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutate(input);
  };
  return { run, result: data, isLoading: isPending, error: error ?? undefined, reset };
}
