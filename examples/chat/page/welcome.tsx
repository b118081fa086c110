import { examples, isScript } from './model.ts';

/** What a new chat shows before its first message. */
export function Welcome({ onExample }: { onExample(prompt: string): void }) {
  return (
    <div className="welcome">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 2 20.7 7v10L12 22 3.3 17V7z" />
      </svg>
      <h2>What should the agent do?</h2>
      <p>
        {isScript
          ? 'A script on this computer answers here: no model, no network, no cost. The agent and its tools are real.'
          : 'It asks before it does what you have not allowed, and keeps working when you close this page.'}
      </p>
      <ul className="examples">
        {examples.map(({ prompt, hint }) => (
          <li key={prompt}>
            <button type="button" onClick={() => onExample(prompt)}>
              {prompt}
              <small>{hint}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
