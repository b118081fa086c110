import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style.css';
import { applyTheme } from './theme.tsx';

applyTheme();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
