import { Switch } from 'radix-ui';
import { useEffect, useState } from 'react';
import { applyTheme, isDark, onSystemTheme, setPreference } from './preferences.js';

export function ThemeSwitch() {
  const [dark, setDark] = useState(isDark);
  const show = () => {
    applyTheme();
    setDark(isDark());
  };
  useEffect(() => onSystemTheme(show), []);
  const change = (value: boolean) => {
    setPreference('theme', value ? 'dark' : 'light');
    show();
  };
  return (
    <Switch.Root
      className="switch theme"
      aria-label="Dark mode"
      title="Dark mode"
      checked={dark}
      onCheckedChange={change}
    >
      <Switch.Thumb className="switch-thumb" />
    </Switch.Root>
  );
}
