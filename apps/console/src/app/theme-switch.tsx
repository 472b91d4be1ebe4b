import { Switch } from 'radix-ui';
import { useState } from 'react';
import { applyTheme, isDark, setPreference } from './preferences.js';

export function ThemeSwitch() {
  const [dark, setDark] = useState(isDark);
  const change = (value: boolean) => {
    setPreference('theme', value ? 'dark' : 'light');
    applyTheme(value);
    setDark(value);
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
