import styles from './preformatted.module.css';

/** Text as it was written, lines and all. What is long scrolls, so keys have to reach it. */
export const Preformatted = ({ text }: { readonly text: string }) => (
  <pre className={styles.box} tabIndex={0}>
    {text}
  </pre>
);
